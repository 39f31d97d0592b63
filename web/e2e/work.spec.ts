/** People and their work, as two or three of them see it at once. */
import type { Browser, Locator } from "@playwright/test";
import { addUser, answering, as, call, createToken, expect, fresh, killServer, looksRight, signIn, TENANT, test, tokenOf } from "./console";
import { DocumentPage } from "./pages/documents";
import { InboxPage } from "./pages/inbox";
import { Shell } from "./pages/shell";

type Kind = "invoice" | "purchase_order";
interface Made {
  id: string;
  entity_version: number;
}

/** What must be seen at once, without a reload: so soon. */
const SOON = { timeout: 3_000 };

// Pages that stay open go on asking, and the last test would wait for all of them.
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

async function submitted(kind: Kind, number: string, total: number, by?: string): Promise<Made> {
  const token = by ?? (await tokenOf("chloe"));
  const data = { number, supplier: "Fjord Textiles", total, currency: "EUR" };
  const made = await call<Made>("POST", `/v1/${TENANT}/documents`, { entity_type: kind, data }, token);
  await call("POST", `/v1/${TENANT}/documents/${made.id}/transitions`, { transition: "submit" }, token);
  return made;
}

/** Changes the amount as its requester does: in a browser of their own, on its page. */
async function amend(browser: Browser, document: Made, total: string): Promise<void> {
  const chloe = await as(browser, "chloe", `/documents/${document.id}`);
  await new DocumentPage(chloe).fill("Total", total);
  await chloe.getByRole("button", { name: "Save as an amendment" }).click();
  await expect(chloe).not.toHaveURL(new RegExp(document.id));
  await chloe.context().close();
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
  await looksRight(page, "submitted");
});

test("finance opens the inbox: the first row is open and says why; a key approves it, the next row is open, and the count is one less", async ({ browser }) => {
  const clerk = fresh("clerk");
  await addUser({ name: clerk, kind: "service", roles: ["author"] });
  const { secret } = await createToken({ name: clerk, user: clerk, days: 1 });
  const [large, small] = [fresh("I"), fresh("I")];
  await submitted("invoice", large, 12500.1, secret);
  await submitted("invoice", small, 900, secret);
  const page = await as(browser, "ben", `/inbox?requester=${clerk}`);
  const inbox = new InboxPage(page);
  await expect(inbox.rows()).toHaveCount(2);
  await expect(inbox.selected()).toHaveCount(1);
  await expect(inbox.rows().first().locator("[aria-current]")).toContainText(large);
  await expect(inbox.part("Why you")).toContainText("12,500.10");
  await expect(inbox.part("Why you")).toContainText("10,000");
  await expect(inbox.part("Why you")).toContainText("finance");
  await expect(inbox.part("Document")).toContainText("Fjord Textiles");
  await expect(inbox.rows().first()).toContainText("Invoice");
  await expect(inbox.count("Everything")).toContainText("2");
  await looksRight(await as(browser, "ben", `/inbox?requester=${clerk}`), "a decision");
  await expect(inbox.approve()).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByRole("status").filter({ hasText: "Approved" })).toContainText(large);
  await expect(inbox.row(large)).toHaveCount(0);
  await expect(inbox.selected()).toContainText(small);
  await expect(inbox.part("Document")).toContainText(small);
  await expect(inbox.count("Everything")).toContainText("1");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("two people approve in parallel: both see one of two, then two of two and the next state, each within three seconds", async ({ browser }) => {
  const order = await submitted("purchase_order", fresh("PO"), 3200);
  const request = await requestOf(order, "ben");
  const ben = await as(browser, "ben", `/inbox?item=${request}`);
  const mira = await as(browser, "mira", `/inbox?item=${request}`);
  const chloe = await as(browser, "chloe", `/documents/${order.id}`);
  const [first, second, author] = [new InboxPage(ben), new InboxPage(mira), new DocumentPage(chloe)];
  await expect(first.part("Progress")).toContainText("0 of 2");
  await expect(second.part("Progress")).toContainText("0 of 2");
  await expect(author.waiting()).toContainText("0 of 2");
  await first.approve().click();
  await expect(ben.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  await expect(second.part("Progress")).toContainText("1 of 2", SOON);
  await expect(author.waiting()).toContainText("1 of 2", SOON);
  // Whoever has decided looks at it among what they have done.
  await ben.getByRole("status").getByRole("link", { name: "See it under Done" }).click();
  await expect(first.part("Progress")).toContainText("1 of 2");
  await second.approve().click();
  await expect(mira.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  await expect(first.part("Progress")).toContainText("2 of 2", SOON);
  await expect(author.here()).toHaveText("Active", SOON);
  await mira.getByRole("status").getByRole("link", { name: "See it under Done" }).click();
  await expect(second.part("Progress")).toContainText("2 of 2");
  await expect(second.part("Progress")).toContainText("ben");
  await looksRight(mira, "decided by two");
});

test("an edit under an open card: approving decides nothing, and the field is named, old and new, with who; a card that hears of it says so by itself", async ({ browser, meant }) => {
  const invoice = await submitted("invoice", fresh("I"), 12500.1);
  const page = await as(browser, "cora", `/inbox?item=${await requestOf(invoice, "cora")}`);
  const hearing = await as(browser, "ben", `/inbox?item=${await requestOf(invoice, "ben")}`);
  const inbox = new InboxPage(page);
  await expect(inbox.part("Document")).toContainText("12,500.10");
  await expect(new InboxPage(hearing).approve()).toBeVisible();
  // The card stays as it was read: this browser hears nothing until it asks.
  const deaf = /\/v1\/northwind\/(inbox|approvals|live|documents|processes)/;
  meant.push(/ERR_FAILED GET/, /409 POST .*\/decisions$/);
  await page.route(deaf, (route) => (route.request().method() === "GET" ? route.abort("failed") : route.continue()));
  await amend(browser, invoice, "14000");
  const answered = page.waitForResponse(/\/decisions$/);
  await inbox.approve().click();
  await page.unroute(deaf);
  expect((await answered).status()).toBe(409);
  const told = page.getByRole("alert").filter({ hasText: "Nothing was decided" });
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeHidden();
  for (const words of ["Total", "12,500.10", "14,000.00", "chloe"]) await expect(told).toContainText(words);
  const { decisions } = await call<{ decisions: unknown[] }>("GET", `/v1/${TENANT}/approvals/${new URL(page.url()).searchParams.get("item")}`);
  expect(decisions).toEqual([]);
  // The other card was told meanwhile.
  await expect(new InboxPage(hearing).approve()).toBeHidden();
  const voided = hearing.getByRole("status").filter({ hasText: "This request is void" });
  for (const words of ["chloe", "Total", "12,500.10", "14,000.00"]) await expect(voided).toContainText(words);
  await looksRight(hearing, "voided");
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
  await looksRight(chloe, "sent back");
});

test("of three approved at once one was changed: two are, and the third says why, before and after", async ({ browser }) => {
  const numbers = [fresh("I"), fresh("I"), fresh("I")];
  const made: Made[] = [];
  for (const number of numbers) made.push(await submitted("invoice", number, 700));
  const page = await as(browser, "ben", "/inbox?type=invoice");
  const inbox = new InboxPage(page);
  for (const number of numbers) await inbox.row(number).getByRole("checkbox").check();
  await page.getByRole("button", { name: /^Approve 3/ }).click();
  const dialog = page.getByRole("dialog", { name: "Approve several" });
  await expect(dialog).toContainText("3 can be approved");
  const [changed] = made;
  if (!changed) throw new Error("nothing was made");
  // Between the preview and the press.
  await amend(browser, changed, "900");
  await dialog.getByRole("button", { name: "Approve 3" }).click();
  await expect(dialog).toContainText("2 of 3 approved");
  const third = dialog.getByRole("listitem").filter({ hasText: numbers[0] ?? "" });
  await expect(third).toContainText(/changed since you looked|decided meanwhile/);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  for (const number of numbers.slice(1)) await expect(inbox.row(number)).toHaveCount(0);

  // And one that was changed before is told in the preview.
  const more = [fresh("I"), fresh("I")];
  const others: Made[] = [];
  for (const number of more) others.push(await submitted("invoice", number, 710));
  await page.goto("/inbox?type=invoice");
  for (const number of more) await inbox.row(number).getByRole("checkbox").check();
  await page.route(/\/v1\/northwind\/(inbox|live)/, () => undefined);
  if (others[0]) await amend(browser, others[0], "910");
  await page.getByRole("button", { name: /^Approve 2/ }).click();
  await expect(dialog).toContainText("1 can be approved, 1 changed since you looked");
  await dialog.getByRole("button", { name: "Approve 1" }).click();
  await expect(dialog).toContainText("1 of 2 approved");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await looksRight(page, "bulk");
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

test("from the first page to what is stuck in three clicks, rebuilt, with its line in the trail; the server dies meanwhile and nothing is shown twice", async ({ browser, meant }) => {
  const page = await as(browser, "otto", "/");
  const ben = await as(browser, "ben", "/inbox");
  const inbox = new InboxPage(ben);
  await expect(inbox.rows().first()).toBeVisible();
  const before = await inbox.rows().count();
  await page.getByRole("link", { name: /^Stuck processes/ }).click();
  await page.getByRole("row").filter({ hasText: "EX-0007" }).getByRole("link").click();
  await expect(new Shell(page).heading()).toContainText("EX-0007");
  await expect(page.getByText("It is stuck")).toBeVisible();
  const steps = page.getByRole("region", { name: "Steps" }).getByRole("button");
  await expect(steps.first()).toBeVisible();
  await expect(page.getByRole("group", { name: "Workflow of this process" })).toBeVisible();
  const taken = await steps.allInnerTexts();

  meant.push(/^net::|^5\d\d /);
  killServer();
  await expect(page.getByText("Reconnecting …")).toBeVisible();
  await expect(ben.getByText("Reconnecting …")).toBeVisible();
  await answering();
  for (const each of [page, ben]) await expect(each.getByText(/^(Reconnecting …|Renewed every few seconds)$/)).toBeHidden({ timeout: 25_000 });
  expect(await steps.allInnerTexts()).toEqual(taken);

  await page.getByRole("button", { name: "Operate" }).click();
  await page.getByRole("menuitem", { name: /Rebuild from its steps/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rebuild from its steps" }).click();
  await expect(page.getByText("Rebuilt: nothing differed.")).toBeVisible();
  await looksRight(page, "a stuck process");
  await page.getByRole("link", { name: "In the audit trail" }).click();
  await expect(page).toHaveURL(/\/audit\?kind=instance&object=[0-9a-f-]{36}$/);
  await expect(page.getByText("instance.rebuilt")).toHaveCount(1);

  const made = await submitted("invoice", fresh("I"), 830);
  await requestOf(made, "ben");
  await expect(inbox.rows()).toHaveCount(before + 1);
  const titles = await inbox.rows().getByRole("link").allInnerTexts();
  expect(new Set(titles).size).toBe(titles.length);
});

test("a filter of documents that was kept is there in any browser, and can be forgotten", async ({ browser }) => {
  const name = fresh("sent");
  const page = await as(browser, "chloe", "/documents?type=purchase_order&status=submitted");
  await page.getByRole("button", { name: "Kept views" }).click();
  await page.getByRole("textbox", { name: "Keep this one as" }).fill(name);
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(page.getByRole("link", { name })).toBeVisible();
  const other = await as(browser, "chloe", "/documents");
  await other.getByRole("button", { name: "Kept views" }).click();
  await other.getByRole("link", { name }).click();
  await expect(other).toHaveURL(/type=purchase_order.*status=submitted/);
  await expect(other.getByRole("combobox", { name: "State" })).toHaveValue("submitted");
  await looksRight(other, "documents");
  await other.getByRole("button", { name: "Kept views" }).click();
  await other.getByRole("button", { name: `Forget ${name}` }).click();
  await expect(other.getByRole("link", { name })).toHaveCount(0);
});

test("each figure of the first page is as many as the list has that it leads to", async ({ browser }) => {
  const page = await as(browser, "otto", "/");
  for (const name of ["Stuck processes", "Paused or failed processes", "Failed runs, 24 hours", "Runs waiting"]) {
    await page.goto("/");
    const figure = page.getByRole("link", { name: new RegExp(`^${name}`) });
    await expect(figure).toHaveText(/\d+$/);
    const said = Number(/([\d,]+)$/.exec(await figure.innerText())?.[1]?.replaceAll(",", ""));
    await figure.click();
    // Beside the list of runs there is one of their types.
    const list = /runs/i.test(name) ? page.getByRole("table", { name: "Runs", exact: true }) : page.getByRole("main");
    const rows = list.getByRole("row").filter({ has: page.getByRole("link") });
    await expect(page.locator(".mantine-Skeleton-root[data-visible], .mantine-Loader-root")).toHaveCount(0);
    if (said > 0) await expect(rows.first(), name).toBeVisible();
    const more = page.getByRole("button", { name: "Show more" });
    for (let shown = await rows.count(); shown < said && (await more.isVisible()); shown = await rows.count()) {
      await more.click();
      await expect.poll(() => rows.count(), { message: name }).toBeGreaterThan(shown);
    }
    await expect(rows, name).toHaveCount(said);
  }
  await page.goto("/");
  await looksRight(page, "home of an operator");
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
  await looksRight(page, "scrubbed back");
});
