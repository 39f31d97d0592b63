/**
 * How smoothly long lists are browsed: 100 000 runs and 50 000 keys on a server that `holdfast up` started. Scrolls each list to its end of
 * what is loaded, again and again as more comes, and reads the longest task and p95 of the time between frames from the browser itself.
 * `HOLDFAST_URL=… HOLDFAST_TOKEN=… node bench/browse.mjs [runs] [keys]`. Whoever calls it has made them; `--fill` makes keys and runs first.
 */
import { chromium } from "@playwright/test";

const base = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";
const token = process.env.HOLDFAST_TOKEN;
const tenant = process.env.HOLDFAST_TENANT ?? "northwind";
const PAGES = 40;
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
  await measure("50 000 keys", "/data?namespace=browse", async () => {
    for (let at = 0; at < PAGES; at++) {
      await page.evaluate(() => document.querySelector("[data-keys]").scrollBy(0, 4000));
      await page.waitForTimeout(120);
    }
    return page.getByRole("status").filter({ hasText: /\d/ }).first().textContent();
  });
  await measure("100 000 runs", "/runs", async () => {
    for (let at = 0; at < PAGES; at++) {
      const more = page.getByRole("button", { name: "Show more" });
      if (!(await more.isVisible())) break;
      await more.click();
      await page.waitForTimeout(120);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    }
    return `${await page.getByRole("table", { name: "Runs" }).getByRole("row").count()} rows drawn`;
  });

  async function measure(name, path, browse) {
    await page.goto(base + path);
    await page.waitForTimeout(2000);
    await page.evaluate(() => {
      window.frames_ = [];
      window.tasks_ = [];
      new PerformanceObserver((list) => window.tasks_.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
      let last = performance.now();
      const tick = (now) => {
        window.frames_.push(now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const told = await browse();
    const { frames, tasks } = await page.evaluate(() => ({ frames: window.frames_.sort((one, other) => one - other), tasks: window.tasks_ }));
    const p95 = frames[Math.floor(frames.length * 0.95)] ?? 0;
    console.log(`${name}: p95 between frames ${p95.toFixed(1)} ms, longest task ${Math.max(0, ...tasks).toFixed(0)} ms, ${told}`);
  }
} finally {
  await browser.close();
}
