import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { everyPage } from "./addresses";
import { call, expect, signIn, test, TOKEN } from "./console";
import { Shell } from "./pages/shell";

/** Everything that was asked for is drawn. The network is never idle: the live stream stays open. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator(".mantine-Skeleton-root[data-visible], .mantine-Loader-root")).toHaveCount(0);
}

async function barriers(page: Page, where: string): Promise<string[]> {
  await settled(page);
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // Legacy mode needs no second tab; it leaves out frames, and the console has none.
  const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page is accessible in ${colorScheme}`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/");
    const found = await barriers(page, "sign in");
    await signIn(page);
    for (const path of await everyPage()) {
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await expect(page.getByRole("heading").first()).toBeVisible();
      found.push(...(await barriers(page, path)));
    }
    await page.goto("/tokens");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByLabel("Only what I choose").check();
    await expect(page.getByRole("checkbox", { name: "audit:read" })).toBeVisible();
    found.push(...(await barriers(page, "create token")));
    await page.goto("/schedules");
    await page.getByRole("button", { name: "Create schedule" }).click();
    await expect(page.getByRole("list", { name: "Next fires" })).toBeVisible();
    found.push(...(await barriers(page, "create schedule")));
    expect(found).toEqual([]);
  });
}

test("the theme is chosen, and the choice stays", async ({ page }) => {
  await signIn(page);
  const root = page.locator("html");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await new Shell(page).theme("Dark");
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  expect(await ground()).not.toBe(light);
  await page.reload();
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  await new Shell(page).theme("Auto");
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "light");
});

test("nothing is wider than a narrow screen, and the menu is behind a button", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  for (const path of await everyPage()) {
    await page.goto(path);
    await settled(page);
    const spare = await page.evaluate(() => window.innerWidth - document.documentElement.scrollWidth);
    expect(spare, path).toBeGreaterThanOrEqual(0);
  }
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(page.getByRole("button", { name: "Open the menu" })).toBeVisible();
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Open the menu" }).click();
  await menu.getByRole("link", { name: "Roles" }).click();
  await expect(new Shell(page).heading()).toHaveText("Roles");
  await expect(menu).toBeHidden();
});

test("the language is chosen, and the choice stays", async ({ page }) => {
  await signIn(page, "/audit?kind=access");
  await new Shell(page).language("Deutsch");
  await expect(new Shell(page).heading()).toHaveText("Protokoll");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.reload();
  await expect(page.getByText(/legte den Mandanten|gab|erstellte/).first()).toBeVisible();
});

test.describe("a German browser", () => {
  test.use({ locale: "de-DE" });

  test("is spoken to in German, with German dates", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Anmelden" })).toBeVisible();
    await signIn(page, "/users?user=ben");
    await expect(page.getByRole("dialog", { name: "ben" })).toContainText(/\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}/);
  });
});

test("everything can be done from the keyboard", async ({ page }) => {
  await signIn(page, "/users");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("button", { name: "Open ben", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "ben" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "ben" })).toBeHidden();
});

test("every permission of the server has words in every language", async () => {
  const permissions = Object.keys(await call<Record<string, string>>("GET", "/v1/permissions"));
  for (const language of ["en", "de", "pt"]) {
    const words = (area: string) => JSON.parse(readFileSync(`src/i18n/locales/${language}/${area}.json`, "utf8")) as object;
    expect(Object.keys(words("permission")).sort(), language).toEqual([...permissions].sort());
    expect(permissions.filter((name) => !((name.split(":")[0] ?? "") in words("area")))).toEqual([]);
  }
});

test("the console was built for the interface that the server has", async () => {
  interface Description {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  }
  const stored = JSON.parse(readFileSync("openapi.json", "utf8")) as Description;
  const server = await call<Description>("GET", "/openapi.json", undefined, TOKEN);
  const differing = (ours: Record<string, unknown>, theirs: Record<string, unknown>) =>
    Object.keys(ours).filter((name) => !isDeepStrictEqual(ours[name], theirs[name]));
  // What the server has besides is no concern of ours; what we use must be the same. `npm run api` renews it.
  expect(differing(stored.paths, server.paths)).toEqual([]);
  expect(differing(stored.components.schemas, server.components.schemas)).toEqual([]);
});
