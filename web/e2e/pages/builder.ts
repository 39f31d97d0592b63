/** The bench where workflows are drawn, as a designer finds things on it. */
import { expect, type Locator, type Page } from "@playwright/test";

export class BuilderPage {
  constructor(private readonly page: Page) {}

  static async newDraft(page: Page, type: string): Promise<BuilderPage> {
    await page.goto("/workflows");
    await page.getByRole("region", { name: type, exact: true }).getByRole("button", { name: "New draft" }).click();
    return BuilderPage.opened(page);
  }

  static async opened(page: Page): Promise<BuilderPage> {
    await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}/);
    await expect(page.getByRole("navigation", { name: "Slots" })).toBeVisible();
    return new BuilderPage(page);
  }

  readonly id = () => /\/workflows\/([0-9a-f-]{36})/.exec(this.page.url())?.[1] ?? "";
  readonly slots = () => this.page.getByRole("navigation", { name: "Slots" });
  readonly slot = (name: string) => this.slots().getByRole("button", { name });
  readonly step = (name: string | RegExp) => this.page.locator("[data-step]").and(this.page.getByRole("button", { name }));
  readonly plus = (from: string, to: string) => this.page.getByRole("button", { name: `Add a step between ${from} and ${to}` });
  readonly edge = (from: string, to: string, words = "") => this.page.getByRole("button", { name: `From ${from} to ${to} ${words}`.trim() });
  readonly saved = () => this.page.locator('[data-saving="saved"]');
  readonly problems = () => this.page.getByRole("list", { name: "Problems" });
  readonly publish = () => this.page.getByRole("button", { name: "Publish" });
  readonly undo = () => this.page.getByRole("button", { name: "Undo" });
  readonly redo = () => this.page.getByRole("button", { name: "Redo" });
  readonly properties = () => this.page.getByRole("complementary", { name: "Properties" });
  readonly field = (name: string | RegExp) => this.properties().getByRole("textbox", { name }).first();
  readonly mode = (name: string) => this.page.getByRole("radiogroup", { name: "What to do with the draft" }).getByText(name, { exact: true }).click();
  readonly palette = (name: string) => this.page.getByRole("region", { name: "Steps to add" }).getByRole("button", { name, exact: true });

  /** Finds a step in the open list and adds it. */
  async pick(name: string): Promise<void> {
    const list = this.page.getByRole("dialog");
    await list.getByRole("combobox").fill(name);
    await list.getByRole("option", { name: new RegExp(`^${name}`, "i") }).first().click();
    await expect(list).toBeHidden();
  }

  /** Chooses a step on the drawing. */
  async open(name: string | RegExp): Promise<void> {
    await this.step(name).click();
    await expect(this.step(name)).toHaveAttribute("aria-pressed", "true");
  }

  async rename(name: string): Promise<void> {
    await this.field("Name").fill(name);
  }

  /** Writes an expression, and closes what was offered for it. */
  async expression(name: string | RegExp, text: string): Promise<void> {
    await this.field(name).fill(text);
    await this.page.keyboard.press("Escape");
  }

  /** An approver by role, as the form asks for it. */
  async askRole(role: string): Promise<void> {
    await this.properties().getByRole("button", { name: "Add to Approvers" }).click();
    await this.properties().getByRole("combobox", { name: "Kind of Approvers 1" }).selectOption({ label: "a role" });
    await this.properties().getByLabel(/^Role/).fill(role);
    await this.page.keyboard.press("Escape");
  }

  /** Publishes, and says once that it is meant. */
  async publishIt(): Promise<void> {
    await expect(this.saved()).toBeVisible();
    await this.publish().click();
    await this.page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await expect(this.page).toHaveURL(/\/(workflows|automations)$/);
  }

  /** Goes on with Tab until it is there, as somebody without a mouse does. */
  async tabTo(target: Locator): Promise<void> {
    for (let pressed = 0; pressed < 150; pressed++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press("Tab");
    }
    throw new Error("Tab does not lead there");
  }
}
