import { expect, test } from "vitest";
import type { Event, RunStep } from "../../api/types";
import { attemptsOf, tally } from "./attempts";

const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 12, 0, second)).toISOString();
const event = (event_type: string, second: number, data: object) => ({ event_type, created_at: at(second), data }) as unknown as Event;
const step = (name: string, second: number) => ({ name, result: null, created_at: at(second) }) as unknown as RunStep;
const run = { attempt: 3, created_at: at(0), run_at: at(20), finished_at: at(30), status: "failed" as const };
const events = [
  event("run.failed", 30, { attempt: 3, error: "no card" }),
  event("run.retried", 12, { attempt: 2, error: "away", run_at: at(20) }),
  event("run.retried", 2, { attempt: 1, error: "away", run_at: at(10) }),
  event("run.created", 0, { type: "x" }),
];

test("each attempt has its time, its error and the steps that it stored", () => {
  const found = attemptsOf(run, [step("reserve", 1), step("pack", 11), step("tell", 25)], events);
  expect(found.map(({ number, from, until, error, steps }) => [number, from, until, error, steps.map(({ name }) => name)])).toEqual([
    [1, at(0), at(2), "away", ["reserve"]],
    [2, at(10), at(12), "away", ["pack"]],
    [3, at(20), at(30), "no card", ["tell"]],
  ]);
});

test("an attempt under way has no end, and one that left no trace is there all the same", () => {
  const found = attemptsOf({ ...run, attempt: 2, finished_at: null, status: "leased" }, [step("pack", 15)], []);
  expect(found.map(({ until, steps }) => [until, steps.length])).toEqual([[null, 1], [null, 0]]);
  expect(attemptsOf({ ...run, attempt: 0, finished_at: null, status: "pending" }, [], events)).toEqual([]);
});

test("runs that were started are counted", () => {
  expect(tally([{ status: "succeeded", finished_at: at(1) }, { status: "failed", finished_at: at(1) }, { status: "leased", finished_at: null }])).toEqual({ all: 3, ended: 2, failed: 1 });
});
