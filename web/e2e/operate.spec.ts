import { call, expect, fresh, signIn, TENANT, test } from "./console";

test("from health to a dead letter, which is replayed", async ({ page }) => {
  const dead = () => call<{ items: { id: string; attempts: number }[] }>("GET", `/v1/${TENANT}/effects?status=dead_letter`);
  const before = await dead();
  expect(before.items.length).toBeGreaterThan(0);
  await signIn(page, "/health");
  const figure = page.getByRole("link", { name: String(before.items.length), exact: true });
  await figure.first().click();
  await expect(page).toHaveURL(/deliveries.*queue=effects.*status=dead_letter/);
  // The figure and the list that it leads to are the same.
  await expect(page.getByRole("row").filter({ has: page.getByText("dead", { exact: true }) })).toHaveCount(before.items.length);
  await page.getByRole("button", { name: "webhook" }).first().click();
  const letter = page.getByRole("dialog");
  await expect(letter).toContainText("host_unknown");
  await letter.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByText("It is tried again.")).toBeVisible();
});

test("five hundred failed runs are run again at once, with an outcome for each", async ({ page }) => {
  test.setTimeout(180_000);
  const batch = fresh("batch");
  const body = { type: "demo.bank_import.v1", payload: { broken: 3, batch }, max_attempts: 1 };
  for (let made = 0; made < 500; made += 20) {
    await Promise.all(Array.from({ length: 20 }, () => call("POST", `/v1/${TENANT}/runs`, body)));
  }
  const payload = JSON.stringify({ batch });
  await signIn(page, `/runs?status=failed&payload=${encodeURIComponent(payload)}`);
  await expect(async () => {
    await page.getByRole("button", { name: "Run all again" }).click();
    const found = page.getByRole("dialog").getByText("500 match");
    await found.waitFor({ timeout: 2_000 }).catch(async (error: unknown) => {
      await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
      throw error;
    });
  }).toPass({ timeout: 60_000 });
  await page.getByRole("button", { name: "Do it to all 500" }).click();
  await expect(page.getByText("Completed, and all of it succeeded")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("500 of 500")).toBeVisible();
  await expect(page.getByRole("link", { name: "the new run" }).first()).toBeVisible();
});
