/** The page of users as a person uses it. */
import type { Page } from "@playwright/test";

export class UsersPage {
  constructor(private readonly page: Page) {}

  readonly row = (name: string) => this.page.getByRole("row").filter({ has: this.page.getByText(name, { exact: true }) });
  readonly drawer = (name: string) => this.page.getByRole("dialog", { name });
  readonly role = (user: string, role: string) => this.drawer(user).getByRole("checkbox", { name: role, exact: true });

  async add(name: string, displayName: string): Promise<void> {
    await this.page.getByRole("button", { name: "Add user" }).click();
    const form = this.page.getByRole("dialog", { name: "Add user" });
    await form.getByLabel("User name").fill(name);
    await form.getByLabel("Display name").fill(displayName);
    await form.getByRole("button", { name: "Add user" }).click();
  }

  readonly search = (text: string) => this.page.getByLabel("Search users").fill(text);
  readonly open = (name: string) => this.page.getByRole("button", { name: `Open ${name}`, exact: true }).click();
}
