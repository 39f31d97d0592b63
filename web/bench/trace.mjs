/** What the browser's own trace says of a stretch of time: how long scripting a frame takes, and the longest task. */
const SCRIPTS = new Set(["FunctionCall", "EvaluateScript", "v8.callFunction", "FireAnimationFrame", "EventDispatch", "TimerFire", "RunMicrotasks"]);
/** What the main thread says when it hands a frame on; each frame ends here. */
const FRAME = "BeginCommitCompositorFrame";

/** Traces the page while something is done with it. */
export async function traced(page, work) {
  const cdp = await page.context().newCDPSession(page);
  const events = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const done = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  await cdp.send("Tracing.start", { categories: "devtools.timeline,disabled-by-default-devtools.timeline,toplevel,v8", transferMode: "ReportEvents" });
  const told = await work();
  await cdp.send("Tracing.end");
  await done;
  return { told, ...measured(events) };
}

/** From the trace: the renderer's main thread, script outermost only, cut into frames; in its own processor time where that is told. */
function measured(events) {
  const frames = events.filter(({ name }) => name === FRAME);
  const busiest = mode(frames.map(({ pid, tid }) => `${pid}:${tid}`));
  const own = events.filter(({ pid, tid }) => `${pid}:${tid}` === busiest);
  const begins = own.filter(({ name }) => name === FRAME).map(({ ts }) => ts).sort((a, b) => a - b);
  const scripts = own.filter(({ name, ph }) => ph === "X" && SCRIPTS.has(name)).sort((a, b) => a.ts - b.ts);
  const sums = begins.map(() => 0);
  let until = 0;
  for (const { ts, dur, tdur } of scripts) {
    if (ts < until) continue;
    until = ts + dur;
    const frame = begins.findIndex((end) => end >= ts);
    if (frame >= 0) sums[frame] += (tdur ?? dur) / 1000;
  }
  sums.sort((a, b) => a - b);
  const tasks = own.filter(({ name, ph }) => ph === "X" && (name === "RunTask" || name === "ThreadControllerImpl::RunTask"));
  const longest = (of) => Math.max(0, ...tasks.map(of)) / 1000;
  const at = (part) => sums[Math.min(sums.length - 1, Math.floor(sums.length * part))] ?? 0;
  return { p95: at(0.95), median: at(0.5), frames: begins.length, longest: longest(({ dur, tdur }) => tdur ?? dur), waited: longest(({ dur }) => dur) };
}

function mode(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
