// pg-boss: one job every two seconds by default (its polling interval, batches of one), finished jobs kept.
//
// Fast: two workers, batches of 500, bursts while batches are full, and LISTEN/NOTIFY.

import { load, serve, versionOf } from "../_harness/protocol.mjs";

const { PgBoss } = await load("pg-boss");
const QUEUE = "noop";

const application = async (job, options) => {
  const boss = new PgBoss({ connectionString: job.dsn, ...(job.fast ? { useListenNotify: true } : {}), ...options });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  return boss;
};

const setup = async (job) => {
  const boss = await application(job, { supervise: false, schedule: false, useListenNotify: false });
  await boss.createQueue(QUEUE, job.fast ? { notify: true } : {});
  await boss.stop({ graceful: false });
  return {
    unfinished: `SELECT count(*) FROM pgboss.job WHERE name = '${QUEUE}' AND state IN ('created', 'retry', 'active')`,
    succeeded: `SELECT count(*) FROM pgboss.job WHERE name = '${QUEUE}' AND state = 'completed'`,
    version: versionOf("pg-boss"),
  };
};

const producer = async (job) => {
  const boss = await application(job, { supervise: false, schedule: false, useListenNotify: false });
  return {
    enqueue: (payload) => boss.send(QUEUE, payload),
    enqueueMany: (payloads) =>
      boss.insert(
        QUEUE,
        payloads.map((data) => ({ data })),
      ),
    close: () => boss.stop({ graceful: false }),
  };
};

const work = async (job, ready, handled) => {
  const options = job.fast
    ? { batchSize: 500, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
    : {};
  await ready();
  const boss = await application(job, {});
  await boss.work(QUEUE, options, async (jobs) => {
    for (const { data } of jobs) handled(data.sent, data.i);
  });
};

await serve({ setup, producer, work });
