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

test("a chart's figure is what the table beside it adds up to", async ({ page }) => {
  await signIn(page, "/health?queue=runs&span=24h");
  const chart = page.getByRole("region", { name: "Throughput and errors", exact: true });
  await expect(chart.getByRole("row").nth(1)).toBeVisible();
  const said = /([\d,]+) finished, ([\d,]+) of them in vain/.exec((await chart.textContent()) ?? "");
  const number = (text: string | undefined) => Number((text ?? "").replaceAll(",", ""));
  const cells = await chart.getByRole("row").evaluateAll((rows) => rows.slice(1).map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  const sum = (column: number) => cells.reduce((all, row) => all + number(row[column]), 0);
  expect([sum(1), sum(2)]).toEqual([number(said?.[1]), number(said?.[2])]);
});

test("Ctrl-K goes anywhere by name, and to whatever has the id that was pasted", async ({ page }) => {
  const { items } = await call<{ items: { id: string; type: string }[] }>("GET", `/v1/${TENANT}/runs?limit=1`);
  await signIn(page);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Go to or do …" });
  await field.fill("deliv");
  await expect(page.getByRole("option").first()).toContainText("Deliveries");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/deliveries$/);
  await page.keyboard.press("Control+k");
  await field.fill(items[0]?.id ?? "");
  await page.getByRole("option", { name: /^Run / }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(items[0]?.type ?? "");
  await page.getByRole("link", { name: "Help about this page" }).evaluate((link) => link.removeAttribute("target"));
  await page.getByRole("link", { name: "Help about this page" }).click();
  await expect(page).toHaveURL(/\/docs\/runs$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
});

test("a session is answered by two people: one wins, and the other sees whose answer it was", async ({ page, browser }) => {
  const known = await call<{ workflow_name: string; input_data: unknown }>("GET", `/v1/${TENANT}/sessions/onboarding-lumen-and-sons`);
  const name = fresh("onboarding");
  await call("POST", `/v1/${TENANT}/sessions`, { workflow: known.workflow_name, name, input: known.input_data });
  await signIn(page, `/sessions/${name}`);
  const context = await browser.newContext({ locale: "en-GB" });
  const other = await context.newPage();
  const { secret } = await call<{ secret: string }>("POST", "/v1/demo/sign-in", { user: "otto" });
  await signIn(other, `/sessions/${name}`, secret);
  await expect(page.getByLabel("Answer")).toBeVisible();
  await other.getByLabel("Answer").selectOption("30 days");
  await other.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByRole("alert")).toContainText("otto was faster and answered already. Your answer was not sent.");
  await expect(page.getByRole("alert")).toContainText("30 days");
  await expect(other.getByRole("alert")).toHaveCount(0);
  await context.close();
});

test("a session shows the node at which it is, and its state is changed by somebody who may", async ({ page }) => {
  const name = fresh("onboarding");
  await call("POST", `/v1/${TENANT}/sessions`, { workflow: "supplier-onboarding", name, input: { supplier: "Fjord", country: "Norway" } });
  await signIn(page, `/sessions/${name}?tab=graph`);
  await expect(page.getByRole("region", { name: "Graph" }).getByRole("status")).toHaveText("It is at ask.", { timeout: 20_000 });
  await expect(page.locator('[data-step="ask"]')).toHaveAttribute("data-mark", "here");
  await expect(page.locator('[data-step="check"]')).toHaveAttribute("data-mark", "done");
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("button", { name: "Edit the state" }).click();
  const editor = page.getByRole("dialog", { name: "Edit the state" });
  await expect(editor.getByRole("button", { name: "Write the changes" })).toBeDisabled();
  await editor.getByLabel("Values of the state").fill('{"supplier": "Fjord Textiles"}');
  await editor.getByLabel("Reason").fill("it has another name");
  await editor.getByRole("button", { name: "Write the changes" }).click();
  await expect(page.getByText("The state is changed; the session goes on.")).toBeVisible();
  await expect(async () => {
    const { values } = await call<{ values: { supplier: string; country: string } }>("GET", `/v1/${TENANT}/sessions/${name}/state`);
    expect(values).toMatchObject({ supplier: "Fjord Textiles", country: "Norway" });
  }).toPass({ timeout: 20_000 });
});

test("a session begins with the input of an earlier one", async ({ page }) => {
  await signIn(page, "/sessions/new?workflow=supplier-onboarding");
  await page.getByLabel("Begin with an earlier input").selectOption("onboarding-lumen-and-sons");
  await expect(page.getByLabel(/^supplier/i)).toHaveValue("Lumen & Sons");
  await expect(page.getByLabel(/^country/i)).toHaveValue("Denmark");
});

test("settings are fields, and what they do not know is kept", async ({ page }) => {
  const before = await call<{ settings: Record<string, unknown> }>("GET", `/v1/${TENANT}`);
  await signIn(page, "/settings");
  const weight = page.getByLabel("Share of busy workers");
  await weight.fill("0");
  await expect(page.getByText("This is no whole number from 1 to 1000.")).toBeVisible();
  await weight.fill("3");
  await page.getByRole("switch", { name: "Keep who reads documents" }).press("Space");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();
  expect((await call<{ settings: unknown }>("GET", `/v1/${TENANT}`)).settings).toEqual({ ...before.settings, weight: 3, audit_reads: true });
  await expect(page.getByRole("region", { name: "In force here" })).toContainText("Finished runs90 days");
  await call("PATCH", `/v1/${TENANT}`, { settings: before.settings });
});
