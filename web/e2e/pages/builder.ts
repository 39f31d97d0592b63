/** The bench where workflows are drawn, as a designer finds things on it. */
import { expect, type Page } from "@playwright/test";

export class BuilderPage {
  constructor(private readonly page: Page) {}

  static async newDraft(page: Page, type: string): Promise<BuilderPage> {
    await page.goto("/workflows");
    await page.getByRole("region", { name: type }).getByRole("button", { name: "New draft" }).click();
    await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}/);
    await expect(page.getByRole("navigation", { name: "Slots" })).toBeVisible();
    return new BuilderPage(page);
  }

  slot(name: string) {
    return this.page.getByRole("navigation", { name: "Slots" }).getByRole("button", { name });
  }

  step(name: string | RegExp) {
    return this.page.locator("[data-step]").and(this.page.getByRole("button", { name }));
  }

  plus(from: string, to: string) {
    return this.page.getByRole("button", { name: `Add a step between ${from} and ${to}` });
  }

  /** Finds a step in the open list and adds it. */
  async pick(name: string): Promise<void> {
    const list = this.page.getByRole("dialog");
    await list.getByRole("combobox").fill(name);
    await list.getByRole("combobox").press("Enter");
    await expect(list).toBeHidden();
  }

  saved() {
    return this.page.locator('[data-saving="saved"]');
  }

  problems() {
    return this.page.getByRole("list", { name: "Problems" });
  }

  publish() {
    return this.page.getByRole("button", { name: "Publish" });
  }
}
