import { call, createToken, expect, fresh, signIn, TENANT, test } from "./console";
import { RunsPage } from "./pages/runs";
import { Shell } from "./pages/shell";
import type { RunDetail } from "../src/api/types";

const enqueue = (body: object) => call<{ id: string }>("POST", `/v1/${TENANT}/runs`, body);
const read = (id: string) => call<RunDetail>("GET", `/v1/${TENANT}/runs/${id}`);
/** Nobody handles these, so they stay as they are. */
const waiting = () => `waiting.${fresh("kind")}.v1`;

test("the queue is seen with its figures, and narrowed by status and type", async ({ page }) => {
  const type = waiting();
  for (const number of [1, 2, 3]) await enqueue({ type, payload: { number } });
  const runs = new RunsPage(page);
  await signIn(page);
  await new Shell(page).go("Runs");
  await expect(runs.figure("pending")).toContainText(/[3-9]|\d\d/);
  await runs.narrow(type);
  await expect(runs.rows()).toHaveCount(3);
  await expect(page).toHaveURL(/prefix=waiting/);
  await runs.figure("failed").click();
  await expect(page.getByText("No run matches this filter.")).toBeVisible();
  await runs.status("pending");
  await expect(runs.rows()).toHaveCount(3);
  await page.reload();
  await expect(runs.rows()).toHaveCount(3);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page).toHaveURL(/\/runs$/);
});

test("what happens appears by itself, unless it is told not to", async ({ page }) => {
  const type = waiting();
  const runs = new RunsPage(page);
  await signIn(page, `/runs?prefix=${type}`);
  await expect(page.getByText("No run matches this filter.")).toBeVisible();
  await enqueue({ type });
  await expect(runs.row(type)).toHaveCount(1);
  await page.getByRole("switch", { name: "Live" }).press("Space");
  await expect(page.getByRole("switch", { name: "Live" })).not.toBeChecked();
  const quiet = page.waitForRequest(/\/runs\?/, { timeout: 4_000 }).then(
    () => false,
    () => true,
  );
  expect(await quiet).toBe(true);
});

test("a run is opened, cancelled with a reason, and run again", async ({ page }) => {
  const type = waiting();
  const { id } = await enqueue({ type, payload: { customer: "Café Aurora" }, priority: 7 });
  const runs = new RunsPage(page);
  await signIn(page, `/runs?prefix=${type}`);
  await runs.open(type);
  await expect(new Shell(page).heading()).toHaveText(type);
  await expect(runs.section("Payload")).toContainText("Café Aurora");
  await expect(runs.facts()).toContainText("0 of 3");
  await runs.cancel("wrong customer");
  await expect(runs.facts()).toContainText("cancelled");
  await expect(runs.facts()).toContainText("wrong customer");
  await expect(runs.section("Timeline")).toContainText("ana cancelled the run: wrong customer");
  expect((await read(id)).run.status).toBe("cancelled");

  await runs.again();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(runs.facts()).toContainText("pending");
  await expect(runs.facts()).toContainText("7");
});

test("a failed run says why and where, and a finished one shows its steps", async ({ page }) => {
  const runs = new RunsPage(page);
  // The demo's own, by its payload: other tests leave failed runs of this type too.
  await signIn(page, `/runs?status=failed&payload=${encodeURIComponent(JSON.stringify({ lines: 7 }))}`);
  await runs.open("demo.bank_import.v1");
  await expect(runs.section("Attempts").getByRole("listitem")).toHaveText([/Attempt 1.*ValueError/, /Attempt 2.*ValueError/, /Attempt 3.*ValueError/]);
  const problem = page.getByRole("alert").filter({ hasText: "ValueError" });
  await expect(problem).toContainText("line 3 of the statement has no amount");
  await problem.getByRole("button", { name: "Show where" }).click();
  await expect(page.getByRole("region", { name: "Where it happened" })).toContainText("Traceback");

  await page.goto("/runs?prefix=demo.order");
  await runs.open("demo.order_fulfilment.v1");
  await expect(runs.section("Steps").getByRole("listitem")).toHaveText([/reserve stock/, /pack/, /tell the carrier/, /start demo.invoice_email/]);
  await expect(runs.section("Result")).toContainText("NW-7041");
  await expect(runs.section("Attempts").getByRole("img")).toHaveAccessibleName(/reserve stock, .* after it was created/);
  const started = runs.section("Runs that it started");
  await started.getByRole("button", { name: "What demo.invoice_email.v1 started" }).click();
  await expect(started).toContainText("It started none itself.");
  await started.getByRole("link", { name: "demo.invoice_email.v1" }).click();
  await expect(new Shell(page).heading()).toHaveText("demo.invoice_email.v1");
  await expect(runs.facts().getByRole("link")).toHaveAttribute("href", /\/runs\//);
});

test("what is paused is said, and can be resumed", async ({ page }) => {
  const prefix = `${fresh("paused")}.`;
  await call("POST", `/v1/${TENANT}/runs/pauses`, { prefix });
  await signIn(page, "/runs");
  await page.getByRole("button", { name: `Resume ${prefix}` }).click();
  await expect(page.getByRole("button", { name: `Resume ${prefix}` })).toBeHidden();
  expect(await call<{ prefix: string }[]>("GET", `/v1/${TENANT}/runs/pauses`)).toEqual([]);
});

test("a run that is not there, and a server that fails, are told in words", async ({ page }) => {
  await signIn(page, "/runs/00000000-0000-0000-0000-000000000000");
  await expect(page.getByText("There is no such run here.")).toBeVisible();
  await page.goto("/runs/nonsense");
  await expect(page.getByText("There is no such run here.")).toBeVisible();
  const fail = () => page.route(/\/runs\?/, (route) => route.fulfill({ status: 500, body: "oops" }));
  await fail();
  await page.goto("/runs");
  await expect(page.getByRole("alert")).toContainText("The answer could not be read", { timeout: 20_000 });
  await page.unroute(/\/runs\?/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(new RunsPage(page).rows().first()).toBeVisible();
});

test("who may only look finds out why the rest is not theirs", async ({ page }) => {
  const { id } = await enqueue({ type: waiting() });
  const { secret } = await createToken({ name: fresh("looker"), scopes: ["runs:read"] });
  await signIn(page, `/runs/${id}`, secret);
  const cancel = page.getByRole("button", { name: "Cancel the run" });
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await cancel.focus();
  await expect(page.getByRole("tooltip")).toContainText("runs:operate");
  await expect(page.getByRole("link", { name: "Schedules" })).toBeHidden();
});
