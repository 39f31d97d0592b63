/** The pages of runs as a person uses them. */
import type { Page } from "@playwright/test";

export class RunsPage {
  constructor(private readonly page: Page) {}

  readonly rows = () => this.page.getByRole("table", { name: "Runs", exact: true }).getByRole("row").filter({ has: this.page.getByRole("link") });
  readonly row = (type: string) => this.rows().filter({ hasText: type });
  readonly open = (type: string) => this.page.getByRole("link", { name: type, exact: true }).first().click();
  readonly figure = (status: string) =>
    this.page.getByRole("group", { name: "Runs by status" }).getByRole("button", { name: new RegExp(`^${status}`) });
  readonly status = (label: string) => this.page.getByLabel("Status", { exact: true }).selectOption(label);
  readonly narrow = (prefix: string) => this.page.getByRole("combobox", { name: "Types that begin with" }).fill(prefix);
  readonly facts = () => this.page.getByRole("region", { name: "Facts" });
  readonly section = (name: string) => this.page.getByRole("region", { name, exact: true }).first();

  async cancel(reason: string): Promise<void> {
    await this.page.getByRole("button", { name: "Cancel the run" }).click();
    const ask = this.page.getByRole("dialog", { name: "Cancel this run?" });
    await ask.getByLabel("Reason").fill(reason);
    await ask.getByRole("button", { name: "Cancel the run" }).click();
  }

  async again(): Promise<void> {
    await this.page.getByRole("button", { name: "Run again" }).click();
    await this.page.getByRole("dialog", { name: "Run this again?" }).getByRole("button", { name: "Run again" }).click();
  }
}
