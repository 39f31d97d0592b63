/** People and their work, as two or three of them see it at once. */
import type { Browser, Locator, Page } from "@playwright/test";
import { answering, call, expect, fresh, killServer, signIn, TENANT, test } from "./console";
import { DocumentPage } from "./pages/documents";
import { InboxPage } from "./pages/inbox";
import { Shell } from "./pages/shell";

type Kind = "invoice" | "purchase_order";
interface Made {
  id: string;
  entity_version: number;
}

const tokens = new Map<string, string>();
async function tokenOf(user: string): Promise<string> {
  const known = tokens.get(user) ?? (await call<{ secret: string }>("POST", "/v1/demo/sign-in", { user })).secret;
  tokens.set(user, known);
  return known;
}

/** A browser of somebody's own. */
async function as(browser: Browser, user: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" })).newPage();
  await signIn(page, path, await tokenOf(user));
  return page;
}

// Pages that stay open go on asking, and the last test would wait for all of them.
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

async function submitted(kind: Kind, number: string, total: number): Promise<Made> {
  const token = await tokenOf("chloe");
  const data = { number, supplier: "Fjord Textiles", total, currency: "EUR" };
  const made = await call<Made>("POST", `/v1/${TENANT}/documents`, { entity_type: kind, data }, token);
  await call("POST", `/v1/${TENANT}/documents/${made.id}/transitions`, { transition: "submit" }, token);
  return made;
}

const WAITS = /token|waits|waiting/i;

/** From the beginning on to the first moment at which a step waits: whether creating and submitting are one moment or two is the worker's to say. */
async function backToWhere(slider: Locator, step: Locator): Promise<void> {
  await slider.press("Home");
  await expect(async () => {
    if (!WAITS.test((await step.getAttribute("aria-label")) ?? "")) await slider.press("ArrowRight");
    await expect(step).toHaveAccessibleName(WAITS, { timeout: 500 });
  }).toPass();
}

const requestOf = async (document: Made, user: string) => {
  const { items } = await call<{ items: { id: string; document_id: string }[] }>("GET", `/v1/${TENANT}/inbox?limit=200`, undefined, await tokenOf(user));
  const found = items.find(({ document_id }) => document_id === document.id);
  if (!found) throw new Error(`nothing waits for ${user}`);
  return found.id;
};

test("a requester creates and submits; it says who is waited for, and the amount is exact after a reload", async ({ browser }) => {
  const page = await as(browser, "chloe", "/documents");
  await page.getByRole("link", { name: "New document" }).click();
  // The list has a choice of type too.
  await expect(new Shell(page).heading()).toHaveText("New document");
  await page.getByRole("combobox", { name: "Type" }).selectOption("Invoice");
  const document = new DocumentPage(page);
  const number = fresh("I");
  await document.create({ Number: number, Supplier: "Fjord Textiles", Total: "12500.10" });
  await expect(new Shell(page).heading()).toHaveText(`Invoice ${number}`);
  await expect(page.getByText("You can edit it")).toBeVisible();
  await document.submit();
  await expect(document.waiting()).toContainText("the role finance");
  await expect(document.waiting()).toContainText("the role cfo");
  await page.reload();
  await expect(page.getByText("EUR 12,500.10").first()).toBeVisible();
  await expect(page.getByText("A change makes an amendment")).toBeVisible();
  await page.getByRole("button", { name: "What else there is, and why not now" }).click();
  await expect(page.getByText("happens by itself when those who are asked have decided").first()).toBeVisible();
});

test("finance sees why, approves with a key, and the next row is open", async ({ browser }) => {
  const large = await submitted("invoice", fresh("I"), 12500.1);
  await submitted("invoice", fresh("I"), 900);
  const page = await as(browser, "ben", "/inbox");
  const inbox = new InboxPage(page);
  await expect(inbox.selected()).toHaveCount(1);
  await expect(inbox.rows().first().locator("[aria-current]")).toHaveCount(1);
  await page.goto(`/inbox?item=${await requestOf(large, "ben")}`);
  await expect(inbox.part("Why you")).toContainText("12,500.10");
  await expect(inbox.part("Why you")).toContainText("10,000");
  await expect(inbox.part("Why you")).toContainText("finance");
  await expect(inbox.part("Document")).toContainText("Fjord Textiles");
  const title = (await inbox.selected().innerText()).split("\n")[0] ?? "";
  const before = Number(/\d+/.exec(await inbox.count("Everything").innerText())?.[0]);
  await expect(inbox.approve()).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByRole("status").filter({ hasText: "Approved" })).toContainText(title);
  await expect(inbox.row(title)).toHaveCount(0);
  await expect(inbox.selected()).toHaveCount(1);
  await expect(inbox.count("Everything")).toContainText(String(before - 1));
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("two people approve in parallel: both see one of two, then that it is decided", async ({ browser }) => {
  const order = await submitted("purchase_order", fresh("PO"), 3200);
  const request = await requestOf(order, "ben");
  const ben = await as(browser, "ben", `/inbox?item=${request}`);
  const mira = await as(browser, "mira", `/inbox?item=${request}`);
  const chloe = await as(browser, "chloe", `/documents/${order.id}`);
  await expect(new InboxPage(mira).part("Progress")).toContainText("0 of 2");
  await new InboxPage(ben).approve().click();
  await expect(ben.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  await expect(new InboxPage(mira).part("Progress")).toContainText("1 of 2");
  await expect(new DocumentPage(chloe).waiting()).toContainText("1 of 2");
  await new InboxPage(mira).approve().click();
  await expect(mira.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  await expect(new DocumentPage(chloe).here()).toHaveText("Active");
});

test("an edit under an open card: nothing is decided, and the field is named with who", async ({ browser }) => {
  const invoice = await submitted("invoice", fresh("I"), 12500.1);
  const page = await as(browser, "cora", `/inbox?item=${await requestOf(invoice, "cora")}`);
  const inbox = new InboxPage(page);
  await expect(inbox.part("Document")).toContainText("12,500.10");
  // The card stays as it was read: this browser hears nothing until it asks.
  await page.route(/\/v1\/northwind\/(inbox|approvals|live|documents|processes)/, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  const saved = await fetch(new URL(`/v1/${TENANT}/documents/${invoice.id}`, process.env.E2E_URL), {
    method: "PATCH",
    headers: { Authorization: `Bearer ${await tokenOf("chloe")}`, "Content-Type": "application/json", "If-Match": '"1"' },
    body: JSON.stringify({ changes: { total: 14000 } }),
  });
  expect(saved.status).toBe(201);
  const answered = page.waitForResponse(/\/decisions$/);
  await inbox.approve().click();
  await page.unroute(/\/v1\/northwind\/(inbox|approvals|live|documents|processes)/);
  expect((await answered).status()).toBe(409);
  const told = page.getByRole("alert").filter({ hasText: "Nothing was decided" });
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeHidden();
  await expect(told).toContainText("Total");
  await expect(told).toContainText("12,500.10");
  await expect(told).toContainText("14,000.00");
  await expect(told).toContainText("chloe");
});

test("a rejection needs a reason, which survives a reload and reaches the requester", async ({ browser }) => {
  const invoice = await submitted("invoice", fresh("I"), 640);
  const page = await as(browser, "ben", `/inbox?item=${await requestOf(invoice, "ben")}`);
  const inbox = new InboxPage(page);
  await expect(inbox.part("Document")).toContainText("640.00");
  await expect(inbox.reject()).toBeVisible();
  await page.keyboard.press("r");
  await expect(inbox.reason()).toBeFocused();
  await inbox.reject().click();
  await expect(page.getByText("Say why: without a reason")).toBeVisible();
  await inbox.reason().fill("The cost centre is missing");
  await page.reload();
  await expect(inbox.reason()).toHaveValue("The cost centre is missing");
  await inbox.reject().click();
  await expect(page.getByRole("status").filter({ hasText: "Rejected" })).toBeVisible();
  const chloe = await as(browser, "chloe", `/documents/${invoice.id}`);
  await expect(new DocumentPage(chloe).here()).toHaveText("Draft");
  await expect(new DocumentPage(chloe).timeline()).toContainText("The cost centre is missing");
});

test("of three approved at once, two are and the third says why not", async ({ browser }) => {
  const numbers = [fresh("I"), fresh("I"), fresh("I")];
  const made: Made[] = [];
  for (const number of numbers) made.push(await submitted("invoice", number, 700));
  const page = await as(browser, "ben", "/inbox?type=invoice");
  const inbox = new InboxPage(page);
  for (const number of numbers) await inbox.row(number).getByRole("checkbox").check();
  const [changed] = made;
  await call("POST", `/v1/${TENANT}/documents/${changed?.id}/transitions`, { transition: "cancel" }, await tokenOf("chloe"));
  await page.getByRole("button", { name: /^Approve 3/ }).click();
  const dialog = page.getByRole("dialog", { name: "Approve several" });
  await expect(dialog).toContainText("2 can be approved");
  await dialog.getByRole("button", { name: "Approve 2" }).click();
  await expect(dialog).toContainText("2 of 3 approved");
  await expect(dialog.getByRole("listitem").filter({ hasText: numbers[0] ?? "" })).toContainText(/decided meanwhile|changed since/);
});

test("another tab is another list: nothing of the one before stays in it, and nothing of it can be decided", async ({ browser }) => {
  const page = await as(browser, "ben", "/inbox");
  const inbox = new InboxPage(page);
  await expect(inbox.approve()).toBeVisible();
  await inbox.count("Done").click();
  await expect(inbox.rows().first()).toContainText(/approved|returned|rejected|answered/);
  await expect(page.getByText("no longer waits")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /\d+ new/ })).toHaveCount(0);
  await expect(inbox.approve()).toHaveCount(0);
  await inbox.count("Overdue").click();
  await expect(inbox.rows().first()).toContainText("overdue");
  await expect(page.getByText("no longer waits")).toHaveCount(0);
});

test("a task is answered with its form, and what was typed survives a reload", async ({ browser }) => {
  const token = await tokenOf("chloe");
  const number = fresh("EX");
  const data = { number, purpose: "Fair", total: 120, currency: "EUR" };
  const made = await call<Made>("POST", `/v1/${TENANT}/documents`, { entity_type: "expense", data }, token);
  await call("POST", `/v1/${TENANT}/documents/${made.id}/transitions`, { transition: "submit" }, token);
  const page = await as(browser, "mira", `/inbox?item=${await requestOf(made, "mira")}`);
  await page.getByRole("textbox", { name: "Archive number" }).fill("A-77");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Archive number" })).toHaveValue("A-77");
  await page.getByLabel("The receipt is there").first().click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Answered" })).toBeVisible();
});

test("the inbox works with a thumb: the list, then the card with its buttons, then the list again", async ({ browser }) => {
  const invoice = await submitted("invoice", fresh("I"), 810);
  await requestOf(invoice, "ben");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "en-GB" });
  const page = await context.newPage();
  await signIn(page, "/inbox?type=invoice", await tokenOf("ben"));
  const inbox = new InboxPage(page);
  await inbox.rows().last().getByRole("link").tap();
  const approve = inbox.approve();
  await expect(approve).toBeInViewport();
  expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await approve.tap();
  await expect(page.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  await expect(inbox.rows().first()).toBeVisible();
});

test("from the first page to a process in two clicks, rebuilt, paused and resumed, with its line in the trail", async ({ browser }) => {
  await submitted("invoice", fresh("I"), 820);
  const page = await as(browser, "otto", "/");
  await new Shell(page).go("Processes");
  await page.getByRole("row").filter({ hasText: "running" }).getByRole("link").first().click();
  await expect(page.getByRole("group", { name: "Workflow of this process" })).toBeVisible();
  await page.getByRole("button", { name: "Operate" }).click();
  await page.getByRole("menuitem", { name: /Rebuild from its steps/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rebuild from its steps" }).click();
  await expect(page.getByText("Rebuilt: nothing differed.")).toBeVisible();
  await page.getByRole("link", { name: "In the audit trail" }).click();
  await expect(page).toHaveURL(/\/audit\?kind=instance&object=[0-9a-f-]{36}$/);
  await expect(page.getByText("instance.rebuilt").first()).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Operate" }).click();
  await page.getByRole("menuitem", { name: "Pause", exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("the books are being closed");
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Paused by otto" })).toContainText("the books are being closed");
  await page.getByRole("button", { name: "Operate" }).click();
  await page.getByRole("menuitem", { name: "Resume", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Paused by otto" })).toBeHidden();
  await page.goto("/audit?kind=instance");
  await expect(page.getByText("instance.resumed").first()).toBeVisible();
});

test("scrubbing back shows tokens and document as they were; the whole story can be printed", async ({ browser }) => {
  const invoice = await submitted("invoice", fresh("I"), 650);
  const request = await requestOf(invoice, "ben");
  await call("POST", `/v1/${TENANT}/approvals/${request}/decisions`, { decision: "returned", entity_version: 1, reason: "too much" }, await tokenOf("ben"));
  const chloe = await tokenOf("chloe");
  // A worker lets the process go on; until then an edit would make an amendment.
  const state = async () => (await call<{ doc_status: string }>("GET", `/v1/${TENANT}/documents/${invoice.id}`, undefined, chloe)).doc_status;
  await expect.poll(state).toBe("draft");
  await call("PATCH", `/v1/${TENANT}/documents/${invoice.id}`, { changes: { total: 600 } }, chloe);
  await call("POST", `/v1/${TENANT}/documents/${invoice.id}/transitions`, { transition: "submit" }, chloe);
  const again = await requestOf(invoice, "ben");
  await call("POST", `/v1/${TENANT}/approvals/${again}/decisions`, { decision: "approved", entity_version: 2 }, await tokenOf("ben"));
  await expect.poll(state).toBe("active");
  const page = await as(browser, "ben", `/documents/${invoice.id}`);
  await page.getByRole("link", { name: "See its process" }).click();
  const drawing = page.getByRole("group", { name: "Workflow of this process" });
  await expect(drawing).toBeVisible();
  const slider = page.getByRole("slider", { name: "Moment in its history" });
  await backToWhere(slider, drawing.getByRole("button", { name: /^Finance, alone, approval/ }));
  await expect(page).toHaveURL(/at=\d/);
  await expect(page.getByRole("region", { name: /The document then: version 1/ })).toContainText("650.00");
  // A step that is chosen in the list comes into sight on the drawing.
  await page.getByRole("region", { name: "Steps" }).getByRole("button", { name: /Start/ }).first().click();
  await drawing.scrollIntoViewIfNeeded();
  await expect(drawing.getByRole("button", { name: /^Start/ })).toBeInViewport();
  await page.reload();
  await expect(page.getByRole("region", { name: /The document then: version 1/ })).toBeVisible();
  await page.goto(`/documents/${invoice.id}/story`);
  await expect(page.getByRole("region", { name: "Decisions" })).toContainText("too much");
  await expect(page.getByRole("region", { name: "How to check it" })).toContainText("holdfast audit verify");
  await page.goto(`/documents/${invoice.id}?tab=versions&version=2&against=1`);
  await expect(page.getByRole("region", { name: "What changed" })).toContainText("650.00");
  await expect(page.getByRole("region", { name: "What changed" })).toContainText("600.00");
});

test("who is away says who decides meanwhile", async ({ browser }) => {
  const page = await as(browser, "cora", "/you");
  await page.getByRole("combobox", { name: "Who decides for me" }).or(page.getByRole("textbox", { name: "Who decides for me" })).first().fill("ben");
  await page.keyboard.press("Escape");
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Until").fill(day);
  await page.getByRole("button", { name: "Arrange it" }).click();
  const arranged = page.getByRole("listitem").filter({ hasText: "ben decides for me" });
  await expect(arranged).toBeVisible();
  await arranged.getByRole("button", { name: "End it" }).click();
  await expect(arranged).toHaveCount(0);
});

test("from the first page to what is stuck in two clicks, rebuilt, one more to its trail; the server dies meanwhile and nothing is shown twice", async ({ browser }) => {
  const page = await as(browser, "otto", "/");
  await page.getByRole("link", { name: /^Stuck processes/ }).click();
  await page.getByRole("row").filter({ hasText: "EX-0007" }).getByRole("link").click();
  await page.getByRole("button", { name: "Operate" }).click();
  await page.getByRole("menuitem", { name: /Rebuild from its steps/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rebuild from its steps" }).click();
  await expect(page.getByText("Rebuilt: nothing differed.")).toBeVisible();
  await page.getByRole("link", { name: "In the audit trail" }).click();
  await expect(page).toHaveURL(/\/audit\?kind=instance&object=[0-9a-f-]{36}$/);
  await expect(page.getByText("instance.rebuilt").first()).toBeVisible();
  await page.goBack();

  const ben = await as(browser, "ben", "/inbox");
  const inbox = new InboxPage(ben);
  await expect(inbox.rows().first()).toBeVisible();
  const before = await inbox.rows().count();
  killServer();
  await expect(ben.getByText("Reconnecting …")).toBeVisible();
  await answering();
  await expect(ben.getByText(/^(Reconnecting …|Renewed every few seconds)$/)).toBeHidden({ timeout: 25_000 });
  const made = await submitted("invoice", fresh("I"), 830);
  await requestOf(made, "ben");
  await expect(inbox.rows()).toHaveCount(before + 1);
  const titles = await inbox.rows().getByRole("link").allInnerTexts();
  expect(new Set(titles).size).toBe(titles.length);
});

test("an invoice that was returned, amended and approved: one history, and its first submission as it was", async ({ browser }) => {
  type Found = Made & { doc_status: string; data: { number: string }; amended_from_id: string | null };
  const { items } = await call<{ items: Found[] }>("GET", `/v1/${TENANT}/documents?entity_type=invoice&doc_status=active&limit=200`);
  const invoice = items.find(({ data }) => data.number === "I-0005");
  const page = await as(browser, "ben", `/documents/${invoice?.id}`);
  const history = new DocumentPage(page).timeline();
  await expect(history).toContainText("ben returned version 1 to be worked over");
  await expect(history).toContainText("chloe amended it, a new document in its place: Note and Total");
  await expect(history).toContainText("cora approved version 1");
  await page.getByRole("link", { name: "Open the earlier one" }).click();
  await expect(page.getByText("EUR 13,104.00").first()).toBeVisible();
  await page.getByRole("link", { name: "See its process" }).click();
  const drawing = page.getByRole("group", { name: "Workflow of this process" });
  await expect(drawing).toBeVisible();
  const slider = page.getByRole("slider", { name: "Moment in its history" });
  await backToWhere(slider, drawing.getByRole("button", { name: /^Finance, approval/ }));
  await expect(page.getByRole("region", { name: /The document then: version 1/ })).toContainText("13,900.00");
  for (const who of ["Finance", "CFO"]) {
    await expect(drawing.getByRole("button", { name: new RegExp(`^${who}, approval`) })).toHaveAccessibleName(/token|waits|waiting/i);
  }
});
