/** The data store as a person uses it. */
import type { Page } from "@playwright/test";

export class DataPage {
  constructor(private readonly page: Page) {}

  readonly keys = () => this.page.getByRole("list", { name: "Keys" }).getByRole("link");
  readonly value = () => this.page.getByRole("region", { name: "Value", exact: true });
  readonly editor = () => this.page.getByLabel("Value as JSON");
  readonly save = () => this.page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  readonly conflict = () => this.page.getByRole("alert");
  readonly open = (namespace: string, key: string, tab = "") =>
    `/data?namespace=${encodeURIComponent(namespace)}&key=${encodeURIComponent(key)}${tab && `&tab=${tab}`}`;
}
