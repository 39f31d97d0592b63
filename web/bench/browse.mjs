/**
 * How smoothly long lists are browsed, on a running server with 100 000 runs and 50 000 keys (`--fill` makes the keys): each is scrolled to the
 * end of what is loaded, and on as more comes. Prints p95 of scripting a frame and the longest task, in processor time.
 * `HOLDFAST_URL=… HOLDFAST_TOKEN=… node bench/browse.mjs [keys|runs]`. Fails when a task takes over 100 ms of processor time.
 */
import { chromium } from "@playwright/test";
import { traced } from "./trace.mjs";

const base = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";
const token = process.env.HOLDFAST_TOKEN;
const tenant = process.env.HOLDFAST_TENANT ?? "northwind";
const PAGES = Number(process.env.PAGES ?? 40);
if (!token) throw new Error("HOLDFAST_TOKEN is not set");

const call = async (method, path, body) => {
  for (;;) {
    const answer = await fetch(`${base}/v1/${tenant}/${path}`, { method, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
    if (answer.status !== 429) return answer;
    await new Promise((over) => setTimeout(over, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
  }
};
if (process.argv.includes("--fill")) {
  for (let at = 0; at < 50_000; at += 1000) {
    const entries = Array.from({ length: 1000 }, (_, each) => ({ key: `k-${String(at + each).padStart(6, "0")}`, value: { n: at + each } }));
    await call("POST", "data/set", { namespace: "browse", entries });
  }
}

const browser = await chromium.launch({ executablePath: process.env.E2E_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${base}/#token=${token}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  if (!process.argv.includes("runs")) await measure("50 000 keys", "/data?namespace=browse", async () => {
    for (let at = 0; at < PAGES; at++) {
      await page.evaluate(() => document.querySelector("[data-keys]").scrollBy(0, 4000));
      await page.waitForTimeout(120);
    }
    return page.getByRole("status").filter({ hasText: /\d/ }).first().textContent();
  });
  if (!process.argv.includes("keys")) await measure("100 000 runs", "/runs", async () => {
    for (let at = 0; at < PAGES; at++) {
      const more = page.getByRole("button", { name: "Show more" });
      if (!(await more.isVisible())) break;
      const rows = page.getByRole("table", { name: "Runs" }).getByRole("row");
      const before = await rows.count();
      await more.click();
      while ((await rows.count()) === before) await page.waitForTimeout(50);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    }
    return `${await page.getByRole("table", { name: "Runs" }).getByRole("row").count()} rows drawn`;
  });

  async function measure(name, path, browse) {
    await page.goto(base + path);
    await page.waitForTimeout(2000);
    const { p95, longest, waited, frames, told } = await traced(page, browse);
    console.log(`${name}: ${told}; ${frames} frames, scripting a frame p95 ${p95.toFixed(1)} ms, longest task ${longest.toFixed(1)} ms, ${waited.toFixed(1)} ms by the clock`);
    if (frames === 0 || longest > 100) process.exitCode = 1;
  }
} finally {
  await browser.close();
}
