import { call, createToken, expect, fresh, signIn, TENANT, test } from "./console";
import { SchedulesPage } from "./pages/schedules";
import { Shell } from "./pages/shell";
import type { Schedule } from "../src/api/types";

const read = (name: string) => call<Schedule>("GET", `/v1/${TENANT}/schedules/${name}`);

test("a schedule is written with its fires in view, created, paused, resumed, fired and deleted", async ({ page }) => {
  const name = fresh("nightly");
  const schedules = new SchedulesPage(page);
  await signIn(page);
  await new Shell(page).go("Schedules");
  await schedules.begin();
  await schedules.fill(name, `waiting.${name}.v1`, "61 2 * * *", "America/New_York");
  await expect(schedules.form().getByText("the minute '61' is not valid")).toBeVisible();
  await schedules.form().getByLabel("Cron expression").fill("30 2 * * *");
  await expect(schedules.fires()).toHaveCount(5);
  await expect(schedules.fires().first()).toContainText("02:30");
  await schedules.form().getByLabel("Payload").fill("{oops");
  await schedules.submit();
  await expect(schedules.form().getByText("This is not valid JSON.")).toBeVisible();
  await schedules.form().getByLabel("Payload").fill('{"region": "east"}');
  await schedules.form().getByLabel("Missed fires").selectOption("are left out");
  await schedules.submit();

  const drawer = schedules.drawer(name);
  await expect(drawer).toContainText("30 2 * * *");
  await expect(drawer).toContainText("America/New_York");
  await expect(drawer.getByRole("list", { name: "Next fires" }).getByRole("listitem")).toHaveCount(8);
  expect(await read(name)).toMatchObject({ payload: { region: "east" }, missed: "skip", state: "active" });

  await drawer.getByRole("button", { name: `Pause ${name}` }).click();
  await expect(drawer.getByText("paused", { exact: true })).toBeVisible();
  await expect(drawer.getByRole("heading", { name: "Next fires, once resumed" })).toBeVisible();
  await drawer.getByRole("button", { name: `Resume ${name}` }).click();
  await expect.poll(async () => (await read(name)).state).toBe("active");

  await drawer.getByRole("button", { name: "Fire now" }).click();
  await page.getByRole("dialog", { name: `Fire ${name} now?` }).getByRole("button", { name: "Fire now" }).click();
  await expect(new Shell(page).heading()).toHaveText(`waiting.${name}.v1`);
  await page.getByRole("region", { name: "Facts" }).getByRole("link", { name }).click();

  await drawer.getByRole("button", { name: "Delete" }).click();
  const ask = page.getByRole("dialog", { name: `Delete the schedule ${name}?` });
  await ask.getByRole("button", { name: "Delete" }).click();
  await expect(schedules.row(name)).toBeHidden();
  await expect(read(name)).rejects.toThrow("404");
});

test("a name that is taken is refused, and nothing that was written is lost", async ({ page }) => {
  const schedules = new SchedulesPage(page);
  await signIn(page, "/schedules");
  await schedules.begin();
  await schedules.fill("nightly-bank-import", "waiting.x.v1", "@daily", "UTC");
  await schedules.submit();
  await expect(schedules.form().getByRole("alert")).toContainText("This already exists");
  await expect(schedules.form().getByLabel("Type of the runs")).toHaveValue("waiting.x.v1");
});

test("a preset writes the expression", async ({ page }) => {
  const schedules = new SchedulesPage(page);
  await signIn(page, "/schedules");
  await schedules.begin();
  await schedules.form().getByLabel("How often").selectOption("on the last of the month at 18:00");
  await expect(schedules.form().getByLabel("Cron expression")).toHaveValue("0 18 L * *");
  await expect(schedules.fires().first()).toContainText("18:00");
  await schedules.form().getByLabel("Cron expression").fill("0 18 L * fri");
  await expect(schedules.form().getByLabel("How often")).toHaveValue("");
});

test("the list shows what is next, in the schedule's own time zone", async ({ page }) => {
  const schedules = new SchedulesPage(page);
  await signIn(page, "/schedules");
  await expect(schedules.row("nightly-bank-import")).toContainText("02:30");
  await expect(schedules.row("month-end-closing")).toContainText("paused");
  await page.goto("/schedules?schedule=nobody");
  await expect(page.getByText("There is no schedule nobody.")).toBeVisible();
});

test("without schedules, and without the right to write them, the page says so", async ({ page }) => {
  const { secret } = await createToken({ name: fresh("looker"), scopes: ["schedules:read"] });
  await page.route(/\/schedules\?/, (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
  await signIn(page, "/schedules", secret);
  await expect(page.getByRole("heading", { name: "No schedules yet" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create schedule" })).toHaveAttribute("aria-disabled", "true");
});
