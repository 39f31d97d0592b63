/** The page of tokens as a person uses it. */
import type { Page } from "@playwright/test";

export class TokensPage {
  constructor(private readonly page: Page) {}

  readonly row = (name: string) => this.page.getByRole("row").filter({ hasText: name });
  readonly secret = () => this.page.getByRole("dialog", { name: "Your new token" });
  readonly show = (which: "In force" | "Ended" | "All") => this.page.getByText(which, { exact: true }).click();

  async create(name: string, scopes: readonly string[] = []): Promise<void> {
    await this.page.getByRole("button", { name: "Create token" }).click();
    const form = this.page.getByRole("dialog", { name: "Create token" });
    await form.getByRole("textbox", { name: "Name" }).fill(name);
    await form.getByLabel("Lasts").selectOption("7 days");
    if (scopes.length > 0) await form.getByLabel("Only what I choose").check();
    for (const scope of scopes) await form.getByRole("checkbox", { name: scope, exact: true }).check();
    await form.getByRole("button", { name: "Create token" }).click();
  }

  async revoke(name: string): Promise<void> {
    await this.page.getByRole("button", { name: `Revoke ${name}` }).click();
    await this.page.getByRole("dialog", { name: `Revoke ${name}?` }).getByRole("button", { name: "Revoke" }).click();
  }
}
