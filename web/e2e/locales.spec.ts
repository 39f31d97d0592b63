/** Every page in a long language and in the pseudo-locale, narrow and wide: nothing sticks out, and nobody reads a key. */
import { areas } from "../src/i18n/catalogue";
import { everyPage } from "./addresses";
import { call, expect, signIn, TENANT, test } from "./console";

const KEY = new RegExp(`\\b(${areas("en").join("|")})\\.[a-z]+(_[a-z]+)*\\b`);

for (const locale of ["pl", "de", "pseudo"]) {
  for (const width of [390, 1440]) {
    test(`${locale} fits ${width} px on every page`, async ({ page }) => {
      // Five dozen pages, on a machine that may have other things to do.
      test.setTimeout(300_000);
      await page.setViewportSize({ width, height: 900 });
      const actions = await call<{ name: string }[]>("GET", `/v1/${TENANT}/actions`);
      const names = ["action.called", ...actions.map(({ name }) => name)];
      await signIn(page, `/?locale=${locale}`);
      await expect(page.locator("html")).toHaveAttribute("lang", locale === "pseudo" ? "en-XA" : locale);
      for (const path of await everyPage()) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect.soft(wide, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
        // Names of permissions, actions and types of runs and events are dotted words too. Where they are shown as code, they are meant;
        // elsewhere only these begin like an area.
        const prose = await page.locator("main").evaluate((main) => {
          const texts: string[] = [];
          const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) if (!walker.currentNode.parentElement?.closest("code")) texts.push(walker.currentNode.textContent ?? "");
          return texts.join("\n");
        });
        const shown = names.reduce((text, name) => text.replaceAll(name, ""), prose);
        expect.soft(KEY.exec(shown)?.[0], `${path} shows a key`).toBeUndefined();
        if (process.env.E2E_LOOK) await page.screenshot({ path: `${process.env.E2E_LOOK}/${locale}-${width}-${path.slice(1) || "home"}.png` });
      }
    });
  }
}
