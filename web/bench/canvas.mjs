/**
 * How smoothly a large workflow is panned: builds the gallery, opens a canvas of 300 nodes in the system's Chromium, drags it
 * about and reads the browser's own trace. Prints p95 of scripting a frame, the longest task, and how long the layout took.
 * `node bench/canvas.mjs [nodes]`. Fails when p95 is over 16 ms or a task over 50 ms of processor
 * time; by the clock a task is longer where other programs take the processor, so judge that on a quiet machine.
 */
import { chromium } from "@playwright/test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, preview } from "vite";
import { traced } from "./trace.mjs";

const NODES = Number(process.argv[2] ?? 300);
const MOVES = 180;

const outDir = await mkdtemp(join(tmpdir(), "holdfast-gallery-"));
const config = { configFile: "gallery/vite.config.ts", logLevel: "error" };
let server, browser;
try {
  await build({ ...config, build: { outDir } });
  for (const file of (await readdir(join(outDir, "assets"))).sort()) {
    if (/\.(js|css)$/.test(file)) console.log(`${String(gzipSync(await readFile(join(outDir, "assets", file))).length).padStart(8)} B gzipped  ${file}`);
  }
  server = await preview({ ...config, build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
  const address = server.resolvedUrls.local[0];
  browser = await chromium.launch({ executablePath: process.env.E2E_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${address}?nodes=${NODES}`);
  await page.waitForSelector(`[data-step="sys:end"]`);
  const drawn = await page.evaluate(() => document.querySelectorAll("[data-step]").length);
  const begin = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.domContentLoadedEventEnd ?? 0);
  const ready = await page.evaluate(() => performance.now());
  for (let zoom = 0; zoom < 4; zoom++) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForTimeout(500);
  const { p95, frames, longest, waited, median } = await traced(page, async () => {
    await page.mouse.move(1000, 700);
    await page.mouse.down();
    for (let at = 0; at < MOVES; at++) await page.mouse.move(1000 + 500 * Math.sin(at / 12), 450 + 300 * Math.cos(at / 17));
    await page.mouse.up();
  });
  console.log(`${drawn} nodes drawn, ready ${Math.round(ready - begin)} ms after the page; ${frames} frames while panning`);
  console.log(`scripting a frame: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; longest task ${longest.toFixed(1)} ms, ${waited.toFixed(1)} ms by the clock`);
  if (frames === 0 || p95 > 16 || longest > 50) process.exitCode = 1;
} finally {
  await browser?.close();
  await server?.close();
  await rm(outDir, { recursive: true, force: true });
}
