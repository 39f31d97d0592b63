/** The inbox as a person uses it. */
import type { Page } from "@playwright/test";

export class InboxPage {
  constructor(private readonly page: Page) {}

  readonly rows = () => this.page.getByRole("list", { name: "What waits for you" }).getByRole("listitem");
  readonly selected = () => this.page.getByRole("list", { name: "What waits for you" }).locator("[aria-current]");
  readonly row = (title: string) => this.rows().filter({ hasText: title });
  readonly open = (title: string) => this.row(title).getByRole("link").click();
  readonly card = () => this.page.getByRole("heading", { level: 2 }).first();
  readonly part = (name: string) => this.page.getByRole("region", { name, exact: true });
  readonly count = (tab: string) => this.page.getByRole("tab", { name: new RegExp(`^${tab}`) });
  readonly approve = () => this.page.getByRole("button", { name: /^Approve/ }).first();
  readonly reject = () => this.page.getByRole("button", { name: /^Reject/ }).first();
  readonly reason = () => this.page.getByRole("textbox", { name: "Reason" });
}
