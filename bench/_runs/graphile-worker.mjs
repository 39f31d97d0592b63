// Graphile Worker: one job at a time by default, LISTEN/NOTIFY, finished jobs deleted (it cannot keep them).
//
// Fast: batches as its documentation on performance describes them, a local queue of 500 jobs with completions together.

import { load, serve, versionOf } from "../_harness/protocol.mjs";

const { Logger, makeWorkerUtils, run, runMigrations } = await load("graphile-worker");

const logger = new Logger(() => (level, message) => {
  if (level === "error" || level === "warning") console.error(message);
});

const preset = {
  worker: { concurrentJobs: 24, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
};

const setup = async (job) => {
  await runMigrations({ connectionString: job.dsn, logger });
  return {
    unfinished: "SELECT count(*) FROM graphile_worker._private_jobs",
    succeeded: null,
    version: versionOf("graphile-worker"),
  };
};

const producer = async (job) => {
  const utils = await makeWorkerUtils({ connectionString: job.dsn, logger });
  return {
    enqueue: (payload) => utils.addJob("noop", payload),
    enqueueMany: (payloads) => utils.addJobs(payloads.map((payload) => ({ identifier: "noop", payload }))),
    close: () => utils.release(),
  };
};

const work = async (job, ready, handled) => {
  const taskList = { noop: async (payload) => handled(payload.sent, payload.i) };
  await ready();
  const runner = await run({
    connectionString: job.dsn,
    taskList,
    logger,
    noHandleSignals: true,
    ...(job.fast ? { preset } : {}),
  });
  await runner.promise;
};

await serve({ setup, producer, work });
