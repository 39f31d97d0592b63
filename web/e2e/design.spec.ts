/** Designing a workflow, by mouse and by keyboard, without breaking it. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { as, call, expect, fresh, looksRight, signIn, TENANT, test, TOKEN, tokenOf } from "./console";
import { BuilderPage } from "./pages/builder";
import { InboxPage } from "./pages/inbox";

// Pages that stay open go on asking, and the last test would wait for all of them.
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

interface Draft {
  patches: Record<string, unknown>;
}

/** What is stored, byte for byte: nothing is read as a number on the way. */
async function patchesOf(id: string): Promise<string> {
  const answer = await fetch(new URL(`/v1/${TENANT}/definitions/${id}`, process.env.E2E_URL), { headers: { Authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  const patches = /"patches":\s*(\{.*\}|null)\s*,\s*"proposed_at"/s.exec(text)?.[1];
  if (!answer.ok || patches === undefined) throw new Error(`${answer.status} ${text}`);
  return patches;
}

test.use({ actionTimeout: 10_000 });

/** A document type that nothing else uses: a number and an amount. */
async function newType(title: string): Promise<string> {
  const entity_type = fresh("claim").replaceAll("-", "_");
  const properties = { number: { type: "string", title: "Number", "x-headline": 1 }, total: { type: "number", title: "Total", minimum: 0 } };
  await call("PUT", `/v1/${TENANT}/contracts/${entity_type}`, { entity_type, title, version: 1, document: { type: "object", required: ["number", "total"], properties } });
  return entity_type;
}

/** Above the threshold finance is asked; below it nobody is. */
const threshold = (limit: number) => ({
  "slot:submitted_to_approved": {
    nodes: [
      { id: "large", type: "condition", name: "Large?", config: { expression: `entity.total > ${limit}` } },
      { id: "finance", type: "approval", name: "Finance", config: { approvers: [{ kind: "role", role: "operator" }] } },
      { id: "pass", type: "action", name: "Pass", config: { action: "process.approve" } },
    ],
    edges: [
      { source: "in", target: "large" },
      { source: "large", target: "finance", outcome: "true" },
      { source: "large", target: "pass", outcome: "false" },
      ...["approved", "rejected"].map((outcome) => ({ source: "finance", target: "out", outcome })),
      { source: "pass", target: "out" },
    ],
    exit_edge_mode: "join",
  },
});

async function published(entity_type: string, patches: object): Promise<void> {
  const { id } = await call<{ id: string }>("POST", `/v1/${TENANT}/definitions`, { entity_type, patches });
  await call("POST", `/v1/${TENANT}/definitions/${id}/publish`);
}

async function submitted(entity_type: string, data: object): Promise<string> {
  const { id } = await call<{ id: string }>("POST", `/v1/${TENANT}/documents`, { entity_type, data });
  await call("POST", `/v1/${TENANT}/documents/${id}/transitions`, { transition: "submit" });
  return id;
}

const CYCLE = "amendment cycle";
/** The steps of the slot as they are stored, whatever the draft. */
const stepsIn = (patches: string) => (JSON.parse(patches) as Record<string, unknown>)[`slot:${CYCLE.replace(" ", "_")}`];

/** A condition and two parallel approvals in an empty slot, by mouse. */
async function drawnByMouse(page: Page, builder: BuilderPage): Promise<void> {
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("condition");
  await builder.expression("Expression", "entity.total > 100");
  await builder.plus("Condition", "out").first().click();
  await builder.pick("split");
  await expect(builder.step(/^Approval/)).toHaveCount(2);
  for (const [nth, role] of ["finance", "cfo"].entries()) {
    await builder.step(/^Approval/).first().click();
    await builder.rename(`Ask ${role}`);
    await builder.askRole(role);
    await expect(builder.step(/^Ask/)).toHaveCount(nth + 1);
  }
  await expect(builder.saved()).toBeVisible();
}

test("by mouse: a condition and two parallel approvals; ten steps undone and done again give the same bytes", async ({ page }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Expense");
  await builder.slot(CYCLE).click();
  const before = await patchesOf(builder.id());
  await drawnByMouse(page, builder);
  // A tenth, of another kind: an edge.
  await builder.open(/^Condition/);
  await builder.properties().getByRole("button", { name: /^false/ }).click();
  await builder.field("Label").fill("small ones");
  await expect(builder.saved()).toBeVisible();
  const after = await patchesOf(builder.id());
  for (let times = 0; times < 10; times++) await builder.undo().click();
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).not.toBe(after);
  while (await builder.undo().isEnabled()) await builder.undo().click();
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).toBe(before);
  while (await builder.redo().isEnabled()) await builder.redo().click();
  await expect(builder.step(/^Ask/)).toHaveCount(2);
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).toBe(after);
  for (let round = 0; round < 10; round++) {
    for (let times = 0; times < 10; times++) await builder.undo().click();
    for (let times = 0; times < 10; times++) await builder.redo().click();
  }
  await expect(builder.redo()).toBeDisabled();
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).toBe(after);
  await looksRight(page, "builder");
});

test("the same by keyboard alone, to the same steps; a gate cannot be removed, and says why", async ({ page }) => {
  await signIn(page);
  const mouse = await BuilderPage.newDraft(page, "Purchase order");
  await mouse.slot(CYCLE).click();
  await drawnByMouse(page, mouse);
  const expected = stepsIn(await patchesOf(mouse.id()));
  expect(expected).toBeDefined();

  const builder = await BuilderPage.newDraft(page, "Purchase order");
  // From here on nothing is clicked, and nothing is given the focus but by Tab, arrows and Enter.
  const { keyboard } = page;
  const { properties } = builder;
  const type = async (text: string) => {
    await keyboard.type(text);
    await keyboard.press("Escape");
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const focused = (name: RegExp) => builder.step(name).first().evaluate((element) => element === document.activeElement);
  /** Along the drawing's arrows from its beginning, over each of the steps: on with the arrow down, and to the side where it is not that one. */
  const walk = async (...way: readonly RegExp[]) => {
    await builder.tabTo(page.locator("[data-step][tabindex='0']"));
    await press("Home");
    for (const name of way) {
      await press("ArrowDown");
      for (const aside of ["ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight"]) {
        if (await focused(name)) break;
        await press(aside);
      }
      await expect(builder.step(name).first()).toBeFocused();
    }
  };
  await builder.tabTo(builder.slot(CYCLE));
  await press("Enter");
  await builder.tabTo(page.getByRole("button", { name: "Add the first step" }));
  await press("Enter");
  await keyboard.type("condition");
  await press("Enter");
  await builder.tabTo(builder.field("Expression"));
  await type("entity.total > 100");
  await walk(/^Condition/);
  await press("+");
  await keyboard.type("split");
  await press("Enter");
  await expect(builder.step(/^Approval/)).toHaveCount(2);
  for (const [nth, role] of ["finance", "cfo"].entries()) {
    await walk(/^Condition/, /^Split/, /^Approval/);
    await press("Enter");
    await builder.tabTo(builder.field("Name"));
    await press("Control+a");
    await keyboard.type(`Ask ${role}`);
    await builder.tabTo(properties().getByRole("button", { name: "Add to Approvers" }));
    await press("Enter");
    await builder.tabTo(properties().getByRole("combobox", { name: "Kind of Approvers 1" }));
    await keyboard.type("a role");
    await builder.tabTo(properties().getByLabel(/^Role/));
    await type(role);
    await expect(builder.step(/^Ask/)).toHaveCount(nth + 1);
  }
  await expect(builder.saved()).toBeVisible();
  expect(stepsIn(await patchesOf(builder.id()))).toEqual(expected);
  const after = await patchesOf(builder.id());
  await builder.tabTo(page.locator("[data-step][tabindex='0']"));
  for (let times = 0; times < 5; times++) await press("Control+z");
  await expect(builder.redo()).toBeEnabled();
  for (let times = 0; times < 5; times++) await press("Control+y");
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).toBe(after);

  // Where the slot is attached, and the gate behind it, are not the designer's.
  await walk();
  await press("Enter", "Delete");
  await expect(page.getByRole("alert")).toContainText("where the slot is attached");
  await expect(builder.step(/^Ask/)).toHaveCount(2);
  await builder.tabTo(builder.slot("The whole workflow"));
  await press("Enter");
  const drawing = page.getByRole("group", { name: "The whole workflow" });
  await expect(drawing).toBeVisible();
  await builder.tabTo(drawing.locator("[data-step][tabindex='0']"));
  for (let times = 0; times < 12; times++) {
    if (await page.evaluate(() => document.activeElement?.getAttribute("data-locked") === "gate")) break;
    await press("ArrowRight");
  }
  await press("Enter", "Delete");
  await expect(page.getByRole("alert")).toContainText("no document changes its state without this gate");
});

test("a wrong field: caret and badge within half a second, and publishing is refused with it", async ({ page }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Expense");
  await builder.slot("amendment cycle").click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("condition");
  await builder.expression("Expression", "entity.total > 100");
  await expect(builder.step(/It has a problem/)).toHaveCount(0);
  const took: number[] = [];
  for (const wrong of ["totl", "tota", "sum"]) {
    await page.evaluate(() => {
      const seen: { typed?: number; badge?: number; caret?: number } = {};
      Object.assign(window, { seen });
      window.addEventListener("input", () => (seen.typed = performance.now()), { once: true, capture: true });
      new MutationObserver(() => {
        if (seen.typed === undefined) return;
        if (document.querySelector("[data-step][data-problem=error]")) seen.badge ??= performance.now();
        if (document.querySelector("[data-caret]")) seen.caret ??= performance.now();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await builder.field("Expression").fill(`entity.${wrong} > 100`);
    await expect(builder.step(/It has a problem/)).toBeVisible();
    await expect(page.locator("[data-caret]")).toContainText("^^");
    took.push(await page.evaluate(() => {
      const { seen } = window as unknown as { seen: { typed: number; badge: number; caret: number } };
      return Math.max(seen.badge, seen.caret) - seen.typed;
    }));
    await expect(builder.publish()).toHaveAttribute("aria-disabled", "true");
    await builder.publish().hover();
    await expect(page.getByRole("tooltip")).toContainText(wrong);
    await expect(builder.problems().first()).toContainText(wrong);
    await builder.expression("Expression", "entity.total > 100");
    await expect(builder.step(/It has a problem/)).toHaveCount(0);
  }
  // One of three may fall together with whatever else the machine does.
  expect(took.sort((one, other) => one - other)[1], took.join(", ")).toBeLessThan(500);
});

test("what-if says how many of 200 documents go another way, lists exactly those, and a new one takes the new path", async ({ page }) => {
  const title = fresh("Claim");
  const type = await newType(title);
  await published(type, threshold(1000));
  const totals = Array.from({ length: 200 }, (_, nth) => 10 * (nth + 1) + 0.5);
  const expected = totals.filter((total) => total > 500 && total <= 1000).length;
  for (let at = 0; at < totals.length; at += 8) {
    await Promise.all(totals.slice(at, at + 8).map((total, nth) => submitted(type, { number: `C-${at + nth}`, total })));
  }
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, title);
  await builder.open(/^Large/);
  await builder.expression("Expression", "entity.total > 500");
  await expect(builder.saved()).toBeVisible();
  await builder.mode("What if");
  await page.getByRole("button", { name: "Try it on past documents" }).click();
  await expect(page.getByText(`${expected} of 200 documents would go another way.`)).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: new RegExp(`^${expected} part ways at Large\\?: not to Pass, but to Finance`) }).click();
  const rows = page.getByRole("table", { name: "Documents that go another way" }).locator("tbody tr");
  await expect(rows.first()).toContainText("entity.total > 500 is true");
  const more = page.getByRole("button", { name: "Show more" });
  while (await more.isVisible()) {
    const before = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  await expect(rows).toHaveCount(expected);
  // Exactly those, by their numbers.
  const others = totals.flatMap((total, nth) => (total > 500 && total <= 1000 ? [`C-${nth}`] : []));
  expect((await rows.getByRole("link").allInnerTexts()).sort()).toEqual(others.sort());
  await expect(page).toHaveURL(/run=[0-9a-f-]{36}/);
  await rows.first().getByRole("button", { name: "Both ways" }).click();
  const ways = page.getByRole("dialog", { name: "Both ways" });
  await expect(ways.locator("[data-problem=added]").and(ways.getByRole("button", { name: /^Finance/ }))).toBeVisible();
  await expect(ways.locator("[data-problem=removed]").and(ways.getByRole("button", { name: /^Pass/ }))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(ways).toBeHidden();
  await looksRight(page, "what-if");
  await builder.publishIt();
  const id = await submitted(type, { number: "C-new", total: 700 });
  await page.goto(`/documents/${id}`);
  await expect(page.getByRole("list", { name: "Waited for" })).toContainText("the role operator");
});

test("the same draft in two tabs: the second reads, takes over, the first is told, and nothing is lost", async ({ page, context }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Invoice");
  await builder.slot("amendment cycle").click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("notification");
  await builder.rename("From the first");
  await expect(builder.saved()).toBeVisible();
  const second = await context.newPage();
  // A tab of its own signs in by itself.
  await signIn(second, new URL(page.url()).pathname + new URL(page.url()).search);
  const reader = new BuilderPage(second);
  await expect(second.getByText("is editing this draft")).toBeVisible();
  await expect(reader.step(/^From the first/)).toBeVisible();
  await expect(reader.palette("Approval")).toHaveCount(0);
  await second.getByRole("button", { name: "Take over" }).click();
  await expect(second.getByText("is editing this draft")).toBeHidden();
  await reader.open(/^From the first/);
  await reader.rename("From the second");
  await expect(reader.saved()).toBeVisible();

  // The first goes on typing before it was told: it is refused, told why, and keeps what it has.
  await builder.rename("Once more from the first");
  await expect(page.getByText("is editing this draft")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("What you did since is kept in this browser")).toBeVisible();
  expect(await patchesOf(builder.id())).toContain("From the second");
  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByRole("alert", { name: "Somebody else changed this draft" })).toBeVisible();
  await expect(builder.step(/^Once more from the first/)).toBeVisible();
  await page.getByRole("button", { name: "Take over with mine" }).click();
  await expect(builder.saved()).toBeVisible();
  expect(await patchesOf(builder.id())).toContain("Once more from the first");
  await expect(second.getByText("is editing this draft")).toBeVisible({ timeout: 15_000 });
});

test("use case A, from an empty slot to a published workflow, and executed by people in the inbox", async ({ page, browser }) => {
  test.setTimeout(180_000);
  const title = fresh("Bill");
  const entity_type = fresh("bill").replaceAll("-", "_");
  const text = (name: string) => ({ type: "string", title: name });
  const document = { type: "object", required: ["number", "vendor_id", "grand_total", "budget_owner"], properties: { number: { ...text("Number"), "x-headline": 1 }, vendor_id: text("Vendor"), grand_total: { type: "number", title: "Grand total" }, budget_owner: text("Budget owner") } };
  await call("PUT", `/v1/${TENANT}/contracts/${entity_type}`, { entity_type, title, version: 1, document });
  const { settings } = await call<{ settings: object }>("GET", `/v1/${TENANT}`);
  await call("PATCH", `/v1/${TENANT}`, { settings: { ...settings, trusted_vendors: ["acme"] } });
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, title);
  const { properties } = builder;

  await builder.slot("submitted → approved").click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("condition");
  await builder.rename("Small and trusted");
  await builder.expression("Expression", "entity.grand_total <= 500 && entity.vendor_id in org.trusted_vendors");
  await builder.plus("Small and trusted", "out").first().click();
  await builder.pick("action");
  await builder.rename("Let it pass");
  await properties().getByLabel(/^Action/).fill("process.approve");
  await page.keyboard.press("Escape");
  await builder.plus("Small and trusted", "out").click();
  await builder.pick("condition");
  await builder.rename("Large");
  await builder.expression("Expression", "entity.grand_total > 10000");
  await builder.plus("Large", "out").first().click();
  await builder.pick("split");
  await builder.step(/^Approval/).first().click();
  await builder.rename("Finance manager");
  await builder.askRole("finance");
  await builder.open(/^Approval/);
  await builder.rename("Budget owner");
  await properties().getByRole("button", { name: "Add to Approvers" }).click();
  await properties().getByRole("combobox", { name: "Kind of Approvers 1" }).selectOption({ label: "whom an expression names" });
  await builder.expression("People", "entity.budget_owner");
  await builder.plus("Large", "out").click();
  await builder.pick("approval");
  await builder.rename("The chain");
  await properties().getByRole("combobox", { name: "Approval chain" }).fill("orders");
  await page.keyboard.press("Escape");

  await builder.slot("approved → active").click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("set a value");
  await builder.rename("Post to the ledger");
  await properties().getByRole("combobox", { name: /^Collection/ }).fill("ledger");
  await page.keyboard.press("Escape");
  await builder.expression(/^Key/, "entity.number");
  await builder.expression(/^Value/, "entity.grand_total");
  // Whoever decides last may not write to the ledger themselves.
  await properties().getByRole("combobox", { name: "Acts as" }).selectOption({ label: "the system" });
  await expect(page.getByText("No problems.")).toBeVisible();
  await looksRight(page, "use case A");
  await builder.publishIt();

  // As people do it: the small one passes, the large one needs both, the one between goes to the chain.
  const author = await tokenOf("chloe");
  const submit = async (number: string, vendor_id: string, grand_total: number) => {
    const { id } = await call<{ id: string }>("POST", `/v1/${TENANT}/documents`, { entity_type, data: { number, vendor_id, grand_total, budget_owner: "cora" } }, author);
    await call("POST", `/v1/${TENANT}/documents/${id}/transitions`, { transition: "submit" }, author);
    return id;
  };
  const [small, middle, large, refused] = [await submit(fresh("S"), "acme", 499.99), await submit(fresh("M"), "acme", 900), await submit(fresh("L"), "other", 12500), await submit(fresh("R"), "other", 20000)];
  const status = async (id: string) => (await call<{ doc_status: string }>("GET", `/v1/${TENANT}/documents/${id}`)).doc_status;
  await expect.poll(() => status(small)).toBe("active");
  await page.goto(`/documents/${middle}`);
  await expect(page.getByRole("list", { name: "Waited for" })).toContainText("finance");
  /** Opens what a person is asked about a document in their inbox, decides, and sees it leave. */
  const decide = async (person: string, id: string, reason?: string) => {
    const token = await tokenOf(person);
    const asked = async () => (await call<{ items: { id: string; document_id: string }[] }>("GET", `/v1/${TENANT}/inbox?limit=200`, undefined, token)).items.find(({ document_id }) => document_id === id)?.id;
    await expect.poll(asked).toBeDefined();
    const theirs = await as(browser, person, `/inbox?item=${await asked()}`);
    const inbox = new InboxPage(theirs);
    const { data: about } = await call<{ data: { number: string } }>("GET", `/v1/${TENANT}/documents/${id}`);
    await expect(inbox.part("Document")).toContainText(about.number);
    if (reason === undefined) await inbox.approve().click();
    else {
      await inbox.reject().click();
      await inbox.reason().fill(reason);
      await inbox.reject().click();
    }
    await expect.poll(asked).toBeUndefined();
    await theirs.context().close();
  };
  await decide("ben", large);
  await decide("cora", large);
  await expect.poll(() => status(large)).toBe("active");
  const { data } = await call<{ data: { number: string } }>("GET", `/v1/${TENANT}/documents/${large}`);
  expect(await call<{ value: unknown }>("GET", `/v1/${TENANT}/data/entry?namespace=ledger&key=${data.number}`)).toMatchObject({ value: 12500 });
  await decide("ben", refused);
  await decide("cora", refused, "not on my budget");
  await expect.poll(() => status(refused)).toBe("draft");
});

test("a newer skeleton with one conflict: resolved on the canvas, and the diff afterwards is the expected one", async ({ page }) => {
  const title = fresh("Permit");
  const entity_type = fresh("permit").replaceAll("-", "_");
  const release = (version: number, first: string) =>
    call("PUT", `/v1/${TENANT}/contracts/${entity_type}`, {
      ...{ entity_type, title, version, document: { type: "object", properties: { total: { type: "number" } } } },
      states: [{ name: "draft", edit_window: "editable" }, { name: "submitted", edit_window: "amend_only" }, { name: "paid", edit_window: "locked" }],
      transitions: [{ name: "submit", from_states: ["draft"], to_state: "submitted" }, { name: "pay", from_states: ["submitted"], to_state: "paid" }],
      slots: [{ name: first, after: "state:draft", before: "gate:submit" }, { name: "money", after: "state:submitted", before: "gate:pay" }],
    });
  const step = (name: string) => ({ nodes: [{ id: "note", type: "script", name, config: { assign: { seen: "true" } } }], edges: [{ source: "in", target: "note" }, { source: "note", target: "out" }] });
  await release(1, "checks");
  await published(entity_type, { "slot:checks": step("My check"), "slot:money": step("My money") });
  await release(2, "review");
  await signIn(page, "/workflows");
  await page.getByRole("region", { name: title }).getByRole("button", { name: "See what it would mean" }).click();
  const dialog = page.getByRole("dialog", { name: "A newer skeleton" });
  const state = (slot: string) => dialog.getByRole("row").filter({ hasText: slot });
  await expect(state("checks")).toContainText("conflict");
  await expect(state("money")).toContainText("yours");
  await expect(state("review")).toContainText("theirs");
  await dialog.getByRole("button", { name: "Carry over into a draft" }).click();
  const builder = await BuilderPage.opened(page);
  const held = page.getByRole("region", { name: "checks" });
  await expect(held).toContainText("My check");
  await held.getByRole("combobox", { name: "Into the slot" }).selectOption({ label: "review" });
  await held.getByRole("button", { name: "Put mine in" }).click();
  await expect(held).toHaveCount(0);
  await expect(builder.step(/^My check/)).toBeVisible();
  await builder.mode("Changes");
  await page.getByRole("combobox", { name: "Compared with" }).selectOption({ label: "the vendor's skeleton" });
  const review = page.getByRole("region", { name: "review" });
  await expect(review).toContainText("My check");
  await expect(page.getByRole("region", { name: "money" })).toContainText("My money");
  await expect(page.getByRole("region", { name: "checks" })).toHaveCount(0);
  await looksRight(page, "upgrade");
  await builder.publishIt();
  await expect(page.getByRole("region", { name: title }).getByText("See what it would mean")).toHaveCount(0);
});

test("tasks of one project mirrored in another: built with the data store's steps, and a change in A changes B", async ({ page }) => {
  const entity_type = fresh("task").replaceAll("-", "_");
  const [collection, automation] = [fresh("mirror"), fresh("mirror").replaceAll("-", "_")];
  const text = (title: string) => ({ type: "string", title });
  await call("PUT", `/v1/${TENANT}/contracts/${entity_type}`, { entity_type, title: entity_type, version: 1, document: { type: "object", required: ["number", "project", "state"], properties: { number: text("Number"), project: text("Project"), state: text("State") } } });
  const task = (number: string, project: string) => call<{ id: string }>("POST", `/v1/${TENANT}/documents`, { entity_type, data: { number, project, state: "open" } });
  const [a, b] = [await task("T-1", "A"), await task("T-2", "B")];
  await call("POST", `/v1/${TENANT}/actions/links.upsert`, { namespace: collection, from: { type: "project_task", id: "T-1" }, to: { type: "project_task", id: b.id }, relation: "mirrors" });

  await signIn(page, "/automations");
  await page.getByRole("textbox", { name: "Name of the automation" }).fill(automation);
  await page.getByRole("button", { name: "New automation" }).click();
  const builder = await BuilderPage.opened(page);
  const { properties } = builder;
  const choose = async (name: RegExp, value: string) => {
    await properties().getByRole("combobox", { name }).first().fill(value);
    await page.keyboard.press("Escape");
  };
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("look up links");
  await choose(/^Collection/, collection);
  await properties().getByRole("group", { name: /^From record/ }).getByRole("combobox", { name: /^Type/ }).fill("project_task");
  await page.keyboard.press("Escape");
  await properties().getByRole("group", { name: /^From record/ }).getByRole("textbox", { name: "Id", exact: true }).fill("entity.number");
  await page.keyboard.press("Escape");
  await properties().getByText("forward", { exact: true }).click();
  await builder.field("Save as").fill("links");
  await builder.plus("Look up links", "out").click();
  await builder.pick("for each");
  await builder.expression(/^Items/, "context.links.matches");
  await properties().getByRole("button", { name: "Open what is done for each item" }).click();
  await page.getByRole("button", { name: "Add the first step" }).click();
  await builder.pick("change a document");
  await builder.expression(/^Document/, "item.id");
  await builder.field(/^Changes/).fill('{"state": {"$expr": "entity.state"}}');
  await expect(page.getByText("No problems.")).toBeVisible();
  await builder.publishIt();

  await page.goto("/automations");
  await page.getByRole("button", { name: "New trigger" }).click();
  const drawer = page.getByRole("dialog", { name: "New trigger" });
  await drawer.getByRole("textbox", { name: "Name" }).fill(automation);
  await drawer.getByRole("combobox", { name: /^Starts/ }).selectOption(automation);
  await drawer.getByRole("combobox", { name: /^On/ }).selectOption({ label: "a changed document" });
  await drawer.getByRole("combobox", { name: /^Document type/ }).selectOption(entity_type);
  await drawer.getByRole("textbox", { name: /^Only if/ }).fill('entity.project == "A"');
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("table", { name: "Triggers" })).toContainText(automation);

  // A trigger is changed as it was made.
  await page.getByRole("table", { name: "Triggers" }).getByRole("button", { name: automation, exact: true }).click();
  const change = page.getByRole("dialog", { name: automation });
  await change.getByRole("textbox", { name: /^Only if/ }).fill('entity.project in ["A", "C"]');
  await change.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("table", { name: "Triggers" })).toContainText('entity.project in ["A", "C"]');
  await looksRight(page, "automations");

  await call("PATCH", `/v1/${TENANT}/documents/${a.id}`, { changes: { state: "done" } });
  await expect.poll(async () => (await call<{ data: { state: string } }>("GET", `/v1/${TENANT}/documents/${b.id}`)).data.state).toBe("done");
});

test("a template is looked at, begun from, and its test cases hold what is published", async ({ page }) => {
  const type = fresh("quick").replaceAll("-", "_");
  // Without them the draft says that there are no such roles, as it should.
  for (const role of ["contract_owner", "legal"]) await call("PUT", `/v1/${TENANT}/roles/${role}`, { permissions: ["processes:read", "processes:approve"] });
  await signIn(page, "/workflows");
  await page.getByRole("button", { name: "Start from a template" }).click();
  const gallery = page.getByRole("dialog", { name: "Start from a template" });
  await gallery.getByRole("button", { name: /^Amendment loop/ }).click();
  await expect(page).toHaveURL(/template=amendment_loop/);
  const one = gallery.getByRole("region", { name: "Amendment loop" });
  await expect(one.getByRole("group", { name: "Amendment loop, drawn" })).toBeVisible();
  await expect(one.getByRole("listitem").first()).toBeVisible();
  const cases = await one.getByRole("listitem").allInnerTexts();
  await one.getByRole("textbox", { name: /^For the document type/ }).fill(type);
  await expect(one).toContainText("There is no such type yet");
  await one.getByRole("button", { name: "Begin a draft from it" }).click();
  const builder = await BuilderPage.opened(page);
  await expect(builder.saved()).toBeVisible();
  await expect(page.getByText("No problems.")).toBeVisible();
  await builder.publish().click();
  const dialog = page.getByRole("dialog", { name: "Publish this draft?" });
  for (const name of cases) await expect(dialog.getByRole("listitem").filter({ hasText: name })).toContainText("as expected");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page).toHaveURL(/\/workflows$/);
  await page.goto("/workflows?state=draft");
  await expect(page.getByRole("region", { name: "Expense", exact: true })).toBeVisible();
  await page.goto("/workflows?template=invoice_approval");
  await expect(page.getByRole("group", { name: "Invoice approval, drawn" })).toBeVisible();
  await looksRight(page, "templates");
  await page.goto("/workflows");
  await page.getByRole("region", { name: "Invoice", exact: true }).getByText("Contract and skeleton").click();
  await expect(page.getByRole("group", { name: "The skeleton of Invoice, drawn" })).toBeVisible();
});

test("a step is found by its name wherever it is, and a webhook is read before it is sent", async ({ page }) => {
  await signIn(page);
  const builder = await BuilderPage.newDraft(page, "Invoice");
  await page.getByRole("combobox", { name: "Find in this draft" }).fill("Tell the portal");
  await page.getByRole("option", { name: /^Tell the portal/ }).click();
  await expect(builder.step(/^Tell the portal/)).toHaveAttribute("aria-pressed", "true");
  await expect(builder.step(/^Tell the portal/)).toBeInViewport();
  await builder.properties().getByText("Preview").click();
  const written = builder.properties().getByRole("group", { name: "Preview" });
  await expect(written).toContainText(/POST https:\/\/portal\.oak-works\.example\/invoices\/I-/);
  await expect(written).toContainText('"total"');
  await looksRight(page, "webhook");
});

for (const [colorScheme, locale, heading] of [["light", "de-DE", "Slots"], ["dark", "en-GB", "Slots"]] as const) {
  test.describe(`every way to look at a draft, ${colorScheme}, ${locale}`, () => {
    test.use({ colorScheme, locale });

    test("is accessible", async ({ page }) => {
      const { items } = await call<{ items: { id: string }[] }>("GET", `/v1/${TENANT}/definitions?entity_type=invoice&kind=org_patch&status=published&limit=1`);
      const { patches } = await call<Draft>("GET", `/v1/${TENANT}/definitions/${items[0]?.id ?? ""}`);
      const changed: unknown = JSON.parse(JSON.stringify(patches).replaceAll("10000", "5000"));
      const { id } = await call<{ id: string }>("POST", `/v1/${TENANT}/definitions`, { entity_type: "invoice", patches: changed });
      await signIn(page, `/workflows/${id}?slot=slot:submitted_to_approved&step=finance`);
      await expect(page.getByRole("navigation", { name: heading })).toBeVisible();
      const found: string[] = [];
      for (const view of ["slot=slot:submitted_to_approved&step=large", "slot=whole", "mode=simulate", "mode=what_if", "mode=changes"]) {
        await page.goto(`/workflows/${id}?${view}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("[data-problems='0'][aria-busy=false]")).toBeVisible();
        await expect(page.locator(".mantine-Skeleton-root[data-visible], .mantine-Loader-root")).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).setLegacyMode(true).analyze();
        found.push(...violations.map(({ id: rule, nodes }) => `${view}: ${rule}: ${nodes.map((node) => node.html).join(" | ")}`));
      }
      expect(found).toEqual([]);
    });
  });
}
