import { AxeBuilder } from "@axe-core/playwright";
import { readFile } from "node:fs/promises";
import { call, expect, fresh, signIn, TENANT, test, TOKEN } from "./console";
import { DataPage } from "./pages/data";

const EXACT = '{"small":0.100000000000000001,"large":9223372036854775809}';

/** The text is sent as it is: `JSON.stringify` would round what is to be exact. */
async function put(base: string, namespace: string, key: string, value: string): Promise<void> {
  const answer = await fetch(new URL(`/v1/${TENANT}/data/entry?namespace=${namespace}&key=${key}`, base), {
    ...{ method: "PUT", body: `{"value":${value}}` },
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
  });
  expect(answer.ok).toBe(true);
}

test("of two people who edit a key the second sees both values, and decides", async ({ page, browser, baseURL }) => {
  const namespace = fresh("both");
  await put(baseURL ?? "", namespace, "k", '{"n":1}');
  const data = new DataPage(page);
  await signIn(page, data.open(namespace, "k", "edit"));
  await data.editor().fill('{"n": 3}');
  const context = await browser.newContext();
  const other = await context.newPage();
  const theirs = new DataPage(other);
  await signIn(other, theirs.open(namespace, "k", "edit"));
  await theirs.editor().fill('{"n": 2}');
  await theirs.save();
  await expect(theirs.value()).toContainText('"n": 2');
  await context.close();

  await data.save();
  await expect(data.conflict()).toContainText("Somebody changed this key meanwhile");
  await expect(data.conflict()).toContainText('"n": 2');
  await expect(data.conflict()).toContainText('"n": 3');
  await expect(data.editor()).toHaveValue('{"n": 3}');
  await page.getByRole("button", { name: "Write mine over it" }).click();
  await expect(data.value()).toContainText('"n": 3');
});

test("no digit is lost, in what is shown and in what is saved", async ({ page, baseURL }) => {
  const namespace = fresh("exact");
  await put(baseURL ?? "", namespace, "k", EXACT);
  const data = new DataPage(page);
  await signIn(page, data.open(namespace, "k"));
  await expect(data.value()).toContainText("0.100000000000000001");
  await expect(data.value()).toContainText("9223372036854775809");
  await page.getByRole("tab", { name: "Edit" }).click();
  await data.editor().fill('[0.100000000000000002, 9223372036854775811]');
  await data.save();
  await expect(data.value()).toContainText("0.100000000000000002");
  await expect(data.value()).toContainText("9223372036854775811");
});

test("keys are exported and imported into another namespace, the same to the byte", async ({ page, baseURL }) => {
  const [from, to] = [fresh("from"), fresh("to")];
  for (let at = 0; at < 30_000; at += 1000) {
    const entries = Array.from({ length: 1000 }, (_, each) => ({ key: `k-${String(at + each).padStart(5, "0")}`, value: { n: at + each } }));
    await call("POST", `/v1/${TENANT}/data/set`, { namespace: from, entries });
  }
  await put(baseURL ?? "", from, "exact", EXACT);
  const lines = async (namespace: string) => {
    await page.goto(`/data?namespace=${namespace}`);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const path = await (await saved).path();
    return { path, text: (await readFile(path, "utf8")).replaceAll(/,"revision":\d+/g, "").replaceAll(namespace, "").split("\n").slice(1) };
  };
  await signIn(page, "/data");
  const before = await lines(from);
  await page.getByRole("button", { name: "Import" }).click();
  const drawer = page.getByRole("dialog", { name: "Import" });
  await drawer.locator("input[type=file]").setInputFiles(before.path);
  await drawer.getByLabel("Into namespace").fill(to);
  await drawer.getByRole("button", { name: "Import" }).click();
  await expect(drawer).toContainText("keys 30,001", { timeout: 60_000 });
  expect((await lines(to)).text).toEqual(before.text);
});

test("the page is accessible, also on a narrow screen", async ({ page, baseURL }) => {
  const namespace = fresh("axe");
  await put(baseURL ?? "", namespace, "k", EXACT);
  const data = new DataPage(page);
  await signIn(page, `/data?namespace=${namespace}`);
  const found = async () => (await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  await expect(data.keys()).toHaveCount(1);
  await page.goto(data.open(namespace, "k"));
  await expect(data.value()).toBeVisible();
  expect(await found()).toEqual([]);
  await page.goto(`/data?namespace=${namespace}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(data.keys()).toHaveCount(1);
  expect(await found()).toEqual([]);
  expect(await page.evaluate(() => window.innerWidth - document.documentElement.scrollWidth)).toBeGreaterThanOrEqual(0);
});
