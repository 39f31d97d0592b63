/**
 * How a draft of 300 steps is worked on, on a running demo server: how long the builder takes to open it, how smoothly its drawing is
 * dragged about and a connection drawn on it, and how soon an expression that was typed is checked. From the browser's own trace.
 * `HOLDFAST_URL=… HOLDFAST_TOKEN=… node bench/builder.mjs [steps]`. Fails when opening takes 1.5 s, p95 of scripting a frame is over
 * 16 ms, a task over 50 ms of processor time, or a check takes 500 ms (the middle of five each); judge it on a quiet machine.
 */
import { chromium } from "@playwright/test";
import process from "node:process";
import { traced } from "./trace.mjs";

const base = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";
const token = process.env.HOLDFAST_TOKEN;
const tenant = process.env.HOLDFAST_TENANT ?? "northwind";
const STEPS = Number(process.argv[2] ?? 300);
const ROUNDS = 5;
const MOVES = 180;
const SLOT = "slot:submitted_to_approved";
if (!token) throw new Error("HOLDFAST_TOKEN is not set");

const call = async (method, path, body) => {
  const answer = await fetch(`${base}/v1/${tenant}/${path}`, { method, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "If-Match": "*" }, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};
const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Questions one after another, each with a step aside that comes back. */
function large(steps) {
  const nodes = [];
  const edges = [];
  let from = { source: "in" };
  for (let at = 0; nodes.length + 2 <= steps; at++) {
    nodes.push({ id: `ask_${at}`, type: "condition", name: `Over ${at}?`, config: { expression: `entity.total > ${at}` } });
    nodes.push({ id: `note_${at}`, type: "script", name: `Note ${at}`, config: { assign: { [`seen_${at}`]: "true" } } });
    edges.push({ ...from, target: `ask_${at}` }, { source: `ask_${at}`, target: `note_${at}`, outcome: "true" });
    if (at > 0) edges.push({ source: `note_${at - 1}`, target: `ask_${at}` });
    from = { source: `ask_${at}`, outcome: "false" };
  }
  edges.push({ ...from, target: "out" }, { source: nodes.at(-1).id, target: "out" });
  return { [SLOT]: { nodes, edges, exit_edge_mode: "join" } };
}

const draft = await call("POST", "definitions", { entity_type: "invoice", patches: large(STEPS) });
const browser = await chromium.launch({ executablePath: process.env.E2E_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${base}/#token=${token}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const address = `${base}/workflows/${draft.id}?slot=${SLOT}&step=ask_0`;
  const drawn = () => page.waitForFunction((wanted) => document.querySelectorAll("[data-step]").length >= wanted, STEPS - 2);
  const opened = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${base}/workflows`);
    await page.getByRole("region").first().waitFor();
    // As with a click: from the list, not from nothing.
    const began = await page.evaluate((to) => {
      const began = performance.now();
      window.history.pushState({}, "", to);
      window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
      return began;
    }, address);
    await drawn();
    opened.push((await page.evaluate(() => performance.now())) - began);
  }
  console.log(`${STEPS} steps: opened in ${opened.map((each) => Math.round(each)).join(", ")} ms`);

  const board = page.getByRole("group", { name: /^Slot/ });
  const box = await board.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const around = async () => {
    for (let at = 0; at < MOVES; at++) await page.mouse.move(x + (box.width / 3) * Math.sin(at / 12), y + (box.height / 3) * Math.cos(at / 17));
  };
  const pan = await traced(page, async () => {
    await page.mouse.move(x + box.width / 3, y);
    await page.mouse.down();
    await around();
    await page.mouse.up();
  });
  tell("dragged about", pan);
  await page.goto(address);
  await drawn();
  const handle = page.locator('[data-id="ask_0"] .react-flow__handle.source').first();
  const link = await traced(page, async () => {
    await handle.hover({ force: true });
    await page.mouse.down();
    await around();
    await page.mouse.up();
  });
  tell("a connection drawn", link);

  const field = page.getByRole("complementary", { name: "Properties" }).getByRole("textbox", { name: "Expression" }).first();
  const checked = [];
  for (let round = 0; round < ROUNDS; round++) {
    await field.fill(`entity.total > ${round}`);
    await page.locator('[data-problems="0"][aria-busy=false]').waitFor();
    await page.evaluate(() => {
      const seen = {};
      Object.assign(window, { seen });
      window.addEventListener("input", () => (seen.typed = performance.now()), { once: true, capture: true });
      new MutationObserver(() => {
        if (seen.typed !== undefined && document.querySelector("[data-step][data-problem=error]")) seen.told ??= performance.now();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await field.fill(`entity.totl${round} > 1`);
    await page.locator("[data-step][data-problem=error]").first().waitFor();
    checked.push(await page.evaluate(() => window.seen.told - window.seen.typed));
  }
  console.log(`an expression checked and marked in ${checked.map((each) => Math.round(each)).join(", ")} ms`);
  const over = [pan, link].some(({ frames, p95, longest }) => frames === 0 || p95 > 16 || longest > 50);
  if (over || middle(opened) > 1500 || middle(checked) > 500) process.exitCode = 1;
} finally {
  await browser.close();
  await call("DELETE", `definitions/${draft.id}`).catch(() => undefined);
}

function tell(what, { p95, median, frames, longest, waited }) {
  console.log(`${what}: ${frames} frames, scripting a frame median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; longest task ${longest.toFixed(1)} ms, ${waited.toFixed(1)} ms by the clock`);
}
