/** The page of schedules as a person uses it. */
import type { Page } from "@playwright/test";

export class SchedulesPage {
  constructor(private readonly page: Page) {}

  readonly row = (name: string) => this.page.getByRole("row").filter({ hasText: name });
  readonly drawer = (name: string) => this.page.getByRole("dialog", { name });
  readonly form = () => this.page.getByRole("dialog", { name: "Create schedule" });
  readonly fires = () => this.form().getByRole("list", { name: "Next fires" }).getByRole("listitem");
  readonly begin = () => this.page.getByRole("button", { name: "Create schedule" }).click();

  async fill(name: string, type: string, cron: string, timezone: string): Promise<void> {
    await this.form().getByLabel("Name").fill(name);
    await this.form().getByLabel("Type of the runs").fill(type);
    await this.form().getByLabel("Cron expression").fill(cron);
    await this.form().getByLabel("Time zone").fill(timezone);
    await this.page.keyboard.press("Escape");
  }

  readonly submit = () => this.form().getByRole("button", { name: "Create schedule" }).click();
}
