/** Designing a workflow, by mouse and by keyboard, without breaking it. */
import { call, expect, signIn, TENANT, test } from "./console";
import { BuilderPage } from "./pages/builder";

interface Draft {
  patches: Record<string, unknown>;
}

const patchesOf = async (url: string) => JSON.stringify((await call<Draft>("GET", `/v1/${TENANT}/definitions/${url.split("/").at(-1)?.split("?")[0] ?? ""}`)).patches);

test("a condition and two parallel approvals are added, a wrong field is said at once, undo and redo give the same bytes", async ({ page }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Expense");
  await builder.slot("amendment cycle").click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("condition");
  await expect(builder.step(/^Condition/)).toBeVisible();

  // What is wrong stands at the step, in the list, under the field, and keeps it from being published.
  const expression = page.getByRole("textbox", { name: "Expression" });
  await expression.fill("entity.totl > 100");
  await expect(builder.step(/It has a problem/)).toBeVisible();
  await expect(builder.problems().first()).toContainText("totl");
  await expect(builder.publish()).toHaveAttribute("aria-disabled", "true");
  await expression.fill("entity.total > 100");
  await page.keyboard.press("Escape");
  await expect(builder.step(/It has a problem/)).toHaveCount(0);

  await builder.plus("Condition", "out").first().click();
  await builder.pick("split");
  await expect(builder.step(/^Approval/)).toHaveCount(2);
  await expect(builder.saved()).toBeVisible();
  const after = await patchesOf(page.url());

  for (let times = 0; times < 2; times++) await page.getByRole("button", { name: "Undo" }).click();
  await expect(builder.step(/^Approval/)).toHaveCount(0);
  for (let times = 0; times < 2; times++) await page.getByRole("button", { name: "Redo" }).click();
  await expect(builder.step(/^Approval/)).toHaveCount(2);
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(page.url())).toBe(after);
});

test("the same by keyboard alone", async ({ page }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Purchase order");
  await builder.slot("amendment cycle").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add the first step" }).focus();
  await page.keyboard.press("Enter");
  await builder.pick("wait for a time");
  await builder.step(/^Wait for a time/).focus();
  await page.keyboard.press("+");
  await builder.pick("split");
  await expect(builder.step(/^Approval/)).toHaveCount(2);
  await builder.step(/^Wait for a time/).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Delete");
  await expect(builder.step(/^Wait for a time/)).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(builder.step(/^Wait for a time/)).toHaveCount(1);
  await expect(builder.saved()).toBeVisible();
});

test("somebody who opens a draft that another window edits reads, and can take over", async ({ page, context }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Invoice");
  await expect(builder.saved()).toBeVisible();
  const second = await context.newPage();
  // A tab of its own signs in by itself.
  await signIn(second, new URL(page.url()).pathname);
  await expect(second.getByText("is editing this draft")).toBeVisible();
  await second.getByRole("button", { name: "Take over" }).click();
  await expect(second.getByText("is editing this draft")).toBeHidden();
});
