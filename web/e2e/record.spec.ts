import { addUser, call, expect, fresh, signIn, TENANT, test } from "./console";

test("the trail is read backwards to its beginning, without a gap or a repetition", async ({ page }) => {
  const name = fresh("busy");
  await addUser({ name });
  for (let round = 0; round < 30; round += 1) {
    await call("PUT", `/v1/${TENANT}/users/${name}/roles/viewer`);
    await call("DELETE", `/v1/${TENANT}/users/${name}/roles/viewer`);
  }
  const before = await countEvents();
  // Of one kind: what the other tests leave on the trail is long.
  await signIn(page, "/audit?kind=access");
  const events = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(events.first()).toBeVisible();
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(page.getByText("This is the beginning of the trail.")).toBeVisible({ timeout: 500 });
  }).toPass();
  // Workers and schedules go on meanwhile, and are on the trail too.
  const shown = await events.count();
  expect(shown).toBeGreaterThanOrEqual(before);
  expect(shown).toBeLessThanOrEqual(await countEvents());
  await expect(events.filter({ hasText: name })).toHaveCount(61);
});

async function countEvents(): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const query = `?object_kind=access&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const found: { items: unknown[]; next_cursor: string | null } = await call("GET", `/v1/${TENANT}/events${query}`);
    count += found.items.length;
    cursor = found.next_cursor;
  } while (cursor);
  return count;
}

test("the trail is narrowed by kind and by object, and the address keeps it", async ({ page }) => {
  const name = fresh("traced");
  await addUser({ name, roles: ["author"] });
  await signIn(page, "/audit");
  await page.getByRole("button", { name: `ana granted author to ${name}` }).click();
  const drawer = page.getByRole("dialog", { name: /^Event \d+/ });
  await expect(drawer).toContainText(`"role": "author"`);
  await expect(drawer).toContainText("user:ana");
  await drawer.getByRole("link", { name: "All events of this object" }).click();
  const events = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(events).toHaveText([/granted author/, /added/]);
  await expect(page).toHaveURL(/object=/);
  await page.reload();
  await expect(events).toHaveCount(2);
  await page.getByLabel("Kind of object").selectOption("Runs");
  await expect(page.getByText("No event matches this filter.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page).toHaveURL(/\/audit$/);
  await page.getByLabel("Object", { exact: true }).fill("7");
  await page.getByLabel("Object", { exact: true }).blur();
  await expect(page.getByText("An ID looks like")).toBeVisible();
});

test("verifying tells what was checked, and every break", async ({ page }) => {
  await signIn(page, "/audit");
  await expect(page.getByText("Not checked in this tab yet")).toBeVisible();
  await page.getByRole("button", { name: "Verify now" }).click();
  await expect(page.getByText("The chain holds")).toBeVisible();
  await expect(page.getByText(/Checked: [\d,]+ chains, [\d,]+ events, now/)).toBeVisible();

  const breaks = ["access 1, event 2: its content does not match its hash", "access 2, event 1: events are missing"];
  await page.route("**/audit/verify", (route) =>
    route.fulfill({ json: { ok: false, chains: 9, events: 40, breaks } }),
  );
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.getByText("2 breaks found")).toBeVisible();
  for (const broken of breaks) await expect(page.getByText(broken)).toBeVisible();
});

test("settings are checked while they are written, saved, and recorded", async ({ page }) => {
  await signIn(page, "/settings");
  const editor = page.getByRole("textbox", { name: "Settings" });
  await editor.fill('{"limit": 1,\n "limit": 2}');
  await expect(page.getByText("Line 2, column 2: the key “limit” is there twice.")).toBeVisible();
  await editor.fill('{"approval": {"limit": "10000.00"}}');
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The settings are saved.")).toBeVisible();
  await expect(editor).toHaveValue(/"limit": "10000.00"/);
  const tenant = await call<{ settings: unknown }>("GET", `/v1/${TENANT}`);
  expect(tenant.settings).toEqual({ approval: { limit: "10000.00" } });
  await call("PATCH", `/v1/${TENANT}`, { settings: {} });
});

test("what fails is told where it failed, and can be tried again", async ({ page }) => {
  let broken = true;
  await page.route("**/events?*", (route) =>
    broken
      ? route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          body: JSON.stringify({ code: "conflict", detail: "the moon is full", hint: "wait" }),
        })
      : route.continue(),
  );
  await signIn(page, "/");
  const latest = page.getByRole("region", { name: "Latest events" });
  await expect(latest.getByRole("alert")).toContainText("The moon is full.");
  broken = false;
  await latest.getByRole("button", { name: "Try again" }).click();
  await expect(latest.getByRole("listitem").first()).toBeVisible();
});
