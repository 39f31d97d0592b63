// The adapter protocol of protocol.py for subjects that live in Node.js; its docstring is the description.
//
// An adapter calls serve({setup, producer, work}). `producer(job)` resolves to {enqueue, enqueueMany, close};
// packages are loaded with `load(name)` because they live in the peer's folder, not beside the adapter.

import { openSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const WARM_UP = 20;
const FILL_CHUNK = 10_000;

const answer = (line) => writeSync(1, JSON.stringify(line) + "\n");

export const clockMs = () => Number(process.hrtime.bigint()) / 1e6;

export const load = async (name) => {
  const require = createRequire(join(process.cwd(), "adapter.js"));
  return import(pathToFileURL(require.resolve(name)).href);
};

export const versionOf = (name) =>
  JSON.parse(readFileSync(join(process.cwd(), "node_modules", name, "package.json"), "utf8")).version;

const handledBy = (job) => {
  const spool = job.spool === null ? null : openSync(job.spool, "a");
  let count = 0;
  return (sent, i) => {
    if (sent !== undefined && spool !== null) writeSync(spool, `${i} ${(clockMs() - sent).toFixed(4)}\n`);
    count += 1;
    if (count === job.n) answer({ event: "handled" });
  };
};

const ready = () =>
  new Promise((resolve) => {
    process.stdin.once("data", resolve);
    process.stdin.on("data", () => {});
    process.stdin.once("end", () => process.exit(0));
    answer({ event: "ready" });
  });

const paced = async (producer, job) => {
  const times = [];
  const start = clockMs();
  for (let i = 0; i < job.n; i += 1) {
    await sleep(Math.max(0, start + i * job.interval_ms - clockMs()));
    const sent = clockMs();
    times.push(sent);
    await producer.enqueue({ i, sent });
  }
  return times;
};

const produce = async (producer, job) => {
  const payloads = Array.from({ length: job.n }, (_, i) => ({ i }));
  if (job.action === "pace") return { sent: await paced(producer, job) };
  if (job.action === "fill") {
    for (let at = 0; at < job.n; at += FILL_CHUNK) await producer.enqueueMany(payloads.slice(at, at + FILL_CHUNK));
    return {};
  }
  let start = clockMs();
  if (job.action === "bulk") {
    await producer.enqueueMany(payloads);
    return { seconds: (clockMs() - start) / 1000 };
  }
  for (let i = 0; i < WARM_UP; i += 1) await producer.enqueue({ i });
  start = clockMs();
  for (const payload of payloads) await producer.enqueue(payload);
  return { seconds: (clockMs() - start) / 1000 };
};

export const serve = async (adapter) => {
  // What the subject prints must not mix with the answers.
  console.log = console.info = console.debug = console.error;
  const job = JSON.parse(process.argv[2]);
  if (job.action === "work") return adapter.work(job, ready, handledBy(job));
  if (job.action === "setup") {
    answer(await adapter.setup(job));
  } else {
    const producer = await adapter.producer(job);
    answer(await produce(producer, job));
    await producer.close();
  }
  process.exit(0);
};
