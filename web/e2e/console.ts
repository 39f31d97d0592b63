/** What every browser test needs: the server's address and token, its interface, and a console that is signed in. */
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import type { CreatedToken, NewUser, TokenRequest } from "../src/api/types";

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests with scripts/e2e.py`);
  return value;
}

export const TOKEN = required("E2E_TOKEN");
export const OPERATOR = required("E2E_OPERATOR");
export const TENANT = "northwind";

/** The server's interface without the console, to prepare what a test needs. */
export async function call<Answer>(method: string, path: string, body?: unknown, token = TOKEN, tries = 5): Promise<Answer> {
  const answer = await fetch(new URL(path, required("E2E_URL")), {
    method,
    // Whatever it is now: what is called here prepares, and looks at nothing before.
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "If-Match": "*" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status === 429 && tries > 1) {
    // As any client should: a machine that does other things too answers late, and a tenant has a share only.
    await new Promise((over) => setTimeout(over, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
    return call(method, path, body, token, tries - 1);
  }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export const addUser = (user: NewUser) => call("POST", `/v1/${TENANT}/users`, user);
export const createToken = (wanted: TokenRequest) => call<CreatedToken>("POST", `/v1/${TENANT}/tokens`, wanted);

/** A name nothing else has. */
export const fresh = (prefix: string) => `${prefix}-${crypto.randomUUID().slice(0, 8)}`;

export async function signIn(page: Page, path = "/", token = TOKEN): Promise<void> {
  await page.goto(`${path}#token=${token}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

const tokens = new Map<string, string>();

/** A token of one of the people of the demo. */
export async function tokenOf(user: string): Promise<string> {
  const known = tokens.get(user) ?? (await call<{ secret: string }>("POST", "/v1/demo/sign-in", { user })).secret;
  tokens.set(user, known);
  return known;
}

/** What pages said that nobody should read: errors of theirs, and requests that failed. */
const heard: { errors: string[]; failures: string[] } = { errors: [], failures: [] };

function listen(page: Page): void {
  page.on("pageerror", (error) => heard.errors.push(error.message));
  page.on("console", (message) => {
    // The browser reports every answer that is no success; those are heard below, with what was asked.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) heard.errors.push(message.text());
  });
}

function listenForFailures(page: Page): void {
  page.on("response", (answer) => {
    const asked = answer.request();
    if (answer.status() >= 400) heard.failures.push(`${answer.status()} ${asked.method()} ${new URL(asked.url()).pathname}`);
  });
  page.on("requestfailed", (asked) => {
    const why = asked.failure()?.errorText ?? "";
    // Given up by the page itself: it was left, or wanted something newer.
    if (why !== "net::ERR_ABORTED") heard.failures.push(`${why} ${asked.method()} ${new URL(asked.url()).pathname}`);
  });
}

/** A browser of somebody's own: in it, besides errors, no request may fail that the test does not name in `meant`. */
export async function as(browser: Browser, user: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  return withToken(browser, await tokenOf(user), path, options);
}

export async function withToken(browser: Browser, token: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  listen(page);
  listenForFailures(page);
  await signIn(page, path, token);
  return page;
}

/**
 * Fails a test in which a page threw, in which the browser refused something of ours, or in which somebody's request failed that the
 * test does not mean: it says so with `meant.push(/409 POST .*decisions$/)`.
 */
export const test = base.extend<{ quiet: undefined; meant: RegExp[] }>({
  meant: async ({}, use) => use([]), // eslint-disable-line no-empty-pattern -- Playwright reads what a fixture needs from here
  quiet: [
    async ({ page, meant }, use) => {
      heard.errors = [];
      heard.failures = [];
      listen(page);
      await use(undefined);
      expect(heard.errors).toEqual([]);
      expect(heard.failures.filter((failure) => !meant.some((form) => form.test(failure)))).toEqual([]);
    },
    { auto: true },
  ],
});

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const NARROW = { width: 390, height: 844 };
/** The ways in which the end of every story is looked at: light and dark, wide and narrow, once in German. */
const LOOKS = [
  { colorScheme: "light", locale: "en", narrow: false },
  { colorScheme: "dark", locale: "en", narrow: false },
  { colorScheme: "light", locale: "de", narrow: false },
  { colorScheme: "dark", locale: "de", narrow: true },
] as const;

/** The same page in another language. */
async function speak(page: Page, locale: string): Promise<void> {
  if ((await page.locator("html").getAttribute("lang")) === locale) return;
  const address = new URL(page.url());
  address.searchParams.set("locale", locale);
  await page.goto(address.href);
  await expect(page.locator("html")).toHaveAttribute("lang", locale);
}

/** Where a story has come to: nothing is in anybody's way, light and dark, at 390 px, in German. The page is as before then, loaded anew. */
export async function looksRight(page: Page, story: string): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 860 };
  const found: string[] = [];
  for (const { colorScheme, locale, narrow } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(narrow ? NARROW : wide);
    await speak(page, locale);
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expect(page.locator(".mantine-Skeleton-root[data-visible], .mantine-Loader-root")).toHaveCount(0);
    const where = `${story}, ${colorScheme}, ${locale}, ${narrow ? NARROW.width : "wide"}`;
    // What measures itself has its new width a moment after the window has.
    let over = 0;
    const measure = async () => (over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth));
    await expect.poll(measure, { timeout: 3_000 }).toBeLessThanOrEqual(0).catch(() => found.push(`${where}: ${over} px wider than the screen`));
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze();
    found.push(...violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.html).join(" | ")}`));
    if (process.env.E2E_LOOK) await page.screenshot({ path: `${process.env.E2E_LOOK}/${where.replaceAll(/[^a-z0-9]+/gi, "-")}.png`, fullPage: true });
  }
  expect(found).toEqual([]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(wide);
  await speak(page, "en");
}

export { expect };

/** When the server answers again. */
export async function answering(): Promise<void> {
  const ready = () => fetch(new URL("/readyz", required("E2E_URL"))).then(({ ok }) => ok, () => false);
  await expect.poll(ready, { timeout: 25_000 }).toBe(true);
}

/** Ends the server's process; `holdfast up`, its parent, starts another at the same address. */
export function killServer(): void {
  const parent = required("E2E_PID");
  const server = readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const ppid = / [A-Z] (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
      return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("serve");
    } catch {
      return false;
    }
  });
  if (!server) throw new Error("the server's process was not found");
  process.kill(Number(server), "SIGKILL");
}
