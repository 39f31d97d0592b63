import { call, expect, fresh, signIn, TENANT, test } from "./console";

interface Letters {
  items: { id: string; instance_id: string; attempts: number; status: string }[];
}
const dead = () => call<Letters>("GET", `/v1/${TENANT}/effects?status=dead_letter`);
const told = async (instance: string) => {
  const { items } = await call<{ items: { event_type: string; actor: string; data: { reason?: string } }[] }>("GET", `/v1/${TENANT}/events?object_id=${instance}`);
  return items.map(({ event_type, actor, data }) => [event_type, actor, data.reason ?? null]);
};

test("from health to a dead letter: one is replayed, the other given up, and the figure is what the list holds", async ({ page }) => {
  const before = await dead();
  expect(before.items.length).toBeGreaterThan(1);
  const [first, second] = before.items;
  await signIn(page, "/health");
  const figure = () => page.getByRole("table", { name: "Queues" }).getByRole("row").filter({ hasText: "Effects" }).locator('a[href*="queue=effects&status=dead_letter"]');
  await expect(figure()).toHaveText(String(before.items.length));
  await figure().click();
  await expect(page).toHaveURL(/deliveries.*queue=effects.*status=dead_letter/);
  // The figure and the list that it leads to are the same.
  const rows = page.getByRole("row").filter({ has: page.getByText("dead", { exact: true }) });
  await expect(rows).toHaveCount(before.items.length);

  await page.goto(`/deliveries?queue=effects&status=dead_letter&item=${first?.id}`);
  const letter = page.getByRole("dialog");
  await expect(letter).toContainText("host_unknown");
  await expect(letter.getByRole("region", { name: "Request" })).toContainText('"url"');
  await letter.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByText("It is tried again.")).toBeVisible();
  expect(await told(first?.instance_id ?? "")).toContainEqual(["effect.replayed", "user:ana", null]);
  // Nobody has such a name still: it dies again, after as many attempts as it had.
  await expect.poll(async () => (await dead()).items.length, { timeout: 30_000 }).toBe(before.items.length);

  await page.goto(`/deliveries?queue=effects&status=dead_letter&item=${second?.id}`);
  await expect(letter.getByRole("button", { name: "Skip" })).toHaveAttribute("aria-disabled", "true");
  await letter.getByLabel("Why skip it").fill("told by telephone");
  await letter.getByRole("button", { name: "Skip" }).click();
  await expect(page.getByText("Given up. It counts as dead no longer.")).toBeVisible();
  expect(await told(second?.instance_id ?? "")).toContainEqual(["effect.skipped", "user:ana", "told by telephone"]);
  await expect(rows).toHaveCount(before.items.length - 1);
  await page.goto("/health");
  await expect(figure()).toHaveText(String(before.items.length - 1));
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
  // Each of them has its outcome, and the run that came of it.
  const outcomes = page.getByRole("region", { name: "Outcome of each" });
  await expect(async () => {
    await outcomes.getByRole("button", { name: "Show more" }).click({ timeout: 2_000 });
    await expect(outcomes.getByRole("link", { name: "the new run" })).toHaveCount(500, { timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(outcomes.getByRole("cell", { name: "succeeded" })).toHaveCount(500);
  const olds = await outcomes.getByRole("row").evaluateAll((rows) => rows.slice(1).map((row) => row.querySelector("a")?.getAttribute("href")));
  expect(new Set(olds).size).toBe(500);
});

test("a chart's figure is what the table beside it adds up to, and what the lists hold", async ({ page }) => {
  const type = `${fresh("figure")}.v1`;
  const number = (text: string | null | undefined) => Number((text ?? "").replaceAll(",", ""));
  await signIn(page, "/health?queue=runs&span=24h");
  const chart = page.getByRole("region", { name: "Throughput and errors", exact: true });
  await expect(chart.getByRole("row").nth(1)).toBeVisible();
  const said = async () => {
    const found = /([\d,]+) finished, ([\d,]+) of them in vain/.exec((await chart.textContent()) ?? "");
    return [number(found?.[1]), number(found?.[2])];
  };
  const added = async () => {
    const cells = await chart.getByRole("row").evaluateAll((rows) => rows.slice(1).map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
    return [1, 2].map((column) => cells.reduce((all, row) => all + number(row[column]), 0));
  };
  // One look at the page: it renews itself meanwhile.
  await expect(async () => expect(await added()).toEqual(await said())).toPass();
  const [, errors = 0] = await said();

  // Three more that fail: the chart has three more, and so have the incidents and the list of runs.
  const made = await Promise.all([1, 2, 3].map(() => call<{ id: string }>("POST", `/v1/${TENANT}/runs`, { type: "demo.bank_import.v1", payload: { broken: 3, batch: type }, max_attempts: 1 })));
  await expect(async () => {
    const [, now] = await said();
    expect(now).toBe(errors + made.length);
    expect(await added()).toEqual(await said());
  }).toPass({ timeout: 60_000 });
  const failed = page.getByRole("table", { name: "Queues" }).getByRole("row").filter({ hasText: "Runs" }).locator('a[href*="#incidents-title"]');
  const incidents = page.getByRole("region", { name: /^What went wrong/ }).locator('td[data-label="How often"]');
  await expect(async () => {
    const counts = (await incidents.allTextContents()).map(number);
    expect(counts.reduce((all, each) => all + each, 0)).toBe(number(await failed.textContent()));
  }).toPass({ timeout: 30_000 });
  await page.goto(`/runs?status=failed&payload=${encodeURIComponent(JSON.stringify({ batch: type }))}`);
  await expect(page.getByRole("table", { name: "Runs" }).getByRole("link", { name: "demo.bank_import.v1" })).toHaveCount(made.length);
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

test("a session is answered by two people at once: one wins, and the other sees whose answer it was", async ({ page, browser }) => {
  const known = await call<{ workflow_name: string; input_data: unknown }>("GET", `/v1/${TENANT}/sessions/onboarding-lumen-and-sons`);
  const name = fresh("onboarding");
  await call("POST", `/v1/${TENANT}/sessions`, { workflow: known.workflow_name, name, input: known.input_data });
  await signIn(page, `/sessions/${name}`);
  const context = await browser.newContext({ locale: "en-GB" });
  const other = await context.newPage();
  const { secret } = await call<{ secret: string }>("POST", "/v1/demo/sign-in", { user: "otto" });
  await signIn(other, `/sessions/${name}`, secret);
  const people = [{ page, name: "ana", says: "30 days" }, { page: other, name: "otto", says: "14 days" }];
  for (const { page: theirs, says } of people) await theirs.getByLabel("Answer").selectOption(says);
  await Promise.all(people.map(({ page: theirs }) => theirs.getByRole("button", { name: "Send the answer" }).click()));

  const asked = async () => (await call<{ status: string; answer: string; answered_by: string }[]>("GET", `/v1/${TENANT}/sessions/${name}/prompts?all=true`))[0];
  await expect.poll(async () => (await asked())?.status).toBe("answered");
  const prompt = await asked();
  const [won, lost] = prompt?.answered_by === "user:ana" ? people : people.toReversed();
  if (!won || !lost) throw new Error("two people answered");
  expect([prompt?.answered_by, prompt?.answer]).toEqual([`user:${won.name}`, won.says]);
  await expect(lost.page.getByRole("alert")).toContainText(`${won.name} was faster and answered already. Your answer was not sent.`);
  await expect(lost.page.getByRole("alert")).toContainText(won.says);
  await expect(won.page.getByRole("alert")).toHaveCount(0);
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

test("when nobody works, when nobody sends, and when figures are not renewed, the pages say so, since when, and what to do", async ({ page }) => {
  const { queues } = await call<{ queues: Record<string, unknown>[] }>("GET", `/v1/${TENANT}/health`);
  const late = queues.map((each) => (each.queue === "outbox" ? { ...each, pending: 40, oldest_seconds: 900.5, dead: 0, stuck: 0 } : each));
  await page.route(/\/workers$/, (route) => route.fulfill({ json: [{ name: "vm:1", alive: false, seen_at: "2026-06-01T10:00:00Z", types: [], prefixes: [], in_hand: [] }] }));
  await page.route(/\/v1\/[a-z]+\/health$/, (route) => route.fulfill({ json: { at: "2026-06-01T10:00:00Z", queues: late } }));
  await page.clock.install();
  await signIn(page, "/health");
  const nobody = page.getByRole("alert").filter({ hasText: "Nobody works: no worker is there." });
  await expect(nobody).toContainText("holdfast worker");
  await expect(nobody).toContainText("1 Jun 2026, 12:00:00");
  await expect(page.getByRole("row").filter({ hasText: "Outbox" })).toContainText("nobody takes it up");

  const stale = page.getByRole("alert").filter({ hasText: "The server has not answered since" });
  await expect(stale).toBeHidden();
  await page.unroute(/\/v1\/[a-z]+\/health$/);
  // It hangs: neither an answer nor a failure.
  await page.route(/\/v1\/[a-z]+\/health$/, () => undefined);
  await page.clock.fastForward(40_000);
  await expect(stale).toBeVisible();

  await page.unroute(/\/v1\/[a-z]+\/health$/);
  await page.route(/\/v1\/[a-z]+\/health$/, (route) => route.fulfill({ json: { at: "2026-06-01T10:00:00Z", queues: late } }));
  await page.goto("/deliveries?queue=outbox");
  await expect(page.getByRole("alert")).toContainText("Nobody sends these: the oldest is due for 15 min 1 s.");
  await expect(page.getByRole("alert")).toContainText("HOLDFAST_OUTBOX_SINKS");
});
