/** The frame of the console as a person uses it. */
import type { Page } from "@playwright/test";

export class Shell {
  constructor(private readonly page: Page) {}

  readonly go = (name: string) =>
    this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();

  readonly heading = () => this.page.getByRole("heading", { level: 1 });
  readonly account = () => this.page.getByRole("button", { name: /^Account of/ });

  async theme(name: "Light" | "Dark" | "Auto"): Promise<void> {
    await this.account().click();
    await this.page.getByText(name, { exact: true }).click();
    await this.page.keyboard.press("Escape");
  }

  async language(name: string): Promise<void> {
    await this.account().click();
    await this.page.getByLabel("Language").selectOption({ label: name });
    await this.page.keyboard.press("Escape");
  }
}
