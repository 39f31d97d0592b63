/** The pages of documents as a person uses them. */
import { expect, type Page } from "@playwright/test";

export class DocumentPage {
  constructor(private readonly page: Page) {}

  readonly lifecycle = () => this.page.getByRole("list", { name: "Where it stands" });
  readonly here = () => this.lifecycle().locator("[aria-current=step]");
  readonly waiting = () => this.page.getByRole("list", { name: "Waited for" });
  readonly timeline = () => this.page.getByRole("list", { name: "What happened" });
  readonly tab = (name: string) => this.page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
  readonly field = (name: string) => this.page.getByLabel(name, { exact: true });
  readonly fill = (name: string, value: string) => this.page.getByRole("textbox", { name }).first().fill(value);

  async create(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.fill(name, value);
    await this.page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(this.page).toHaveURL(/\/documents\/[0-9a-f-]{36}$/);
  }

  async submit(): Promise<void> {
    await this.page.getByRole("group", { name: "What you can do" }).getByRole("button", { name: "Submit" }).click();
    await this.page.getByRole("dialog").getByRole("button", { name: "Submit" }).click();
    await expect(this.here()).toHaveText("Submitted");
  }
}
