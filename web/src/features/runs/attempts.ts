/**
 * The attempts of a run, from what its trail keeps: when each began and ended, why it failed, and the steps that it stored. An
 * attempt is counted when it starts; one that left no event is known by its number alone.
 */
import type { Event, RunInfo, RunStep, StartedRun } from "../../api/types";

export interface Attempt {
  number: number;
  /** When it was due; of the first one, when the run was enqueued or due. */
  from: string;
  /** Null while it is under way. */
  until: string | null;
  error: string | null;
  steps: RunStep[];
}

const ENDED: ReadonlySet<string> = new Set(["run.retried", "run.failed", "run.succeeded", "run.lease_expired", "run.released"]);

export function attemptsOf(run: Pick<RunInfo, "attempt" | "created_at" | "run_at" | "finished_at" | "status">, steps: readonly RunStep[], events: readonly Event[]): Attempt[] {
  const told = new Map<number, { until: string; error: string | null; next: string | null }>();
  const started = new Map<number, string>();
  for (const { event_type, created_at, data } of events) {
    const number = typeof data.attempt === "number" ? data.attempt : null;
    if (number === null) continue;
    const text = (name: string) => (typeof data[name] === "string" ? data[name] : null);
    if (event_type === "run.started") started.set(number, created_at);
    // The one that ended it last: a lease that was lost, and then the failure.
    else if (ENDED.has(event_type) && !told.has(number)) told.set(number, { until: created_at, error: event_type === "run.lease_expired" ? "lease_expired" : text("error"), next: text("run_at") });
  }
  const attempts: Attempt[] = [];
  for (let number = 1; number <= run.attempt; number += 1) {
    const before = told.get(number - 1);
    const own = told.get(number);
    const last = number === run.attempt;
    const from = started.get(number) ?? before?.next ?? before?.until ?? later(run.created_at, run.attempt === 1 ? run.run_at : run.created_at);
    attempts.push({ number, from, until: own?.until ?? (last ? run.finished_at : null), error: own?.error ?? null, steps: [] });
  }
  for (const step of steps) {
    const home = attempts.find(({ until }) => until === null || Date.parse(step.created_at) <= Date.parse(until)) ?? attempts.at(-1);
    home?.steps.push(step);
  }
  // A step stored before its attempt was thought to begin shows when it began at the latest.
  return attempts.map((attempt) => ({ ...attempt, from: attempt.steps.reduce((first, { created_at }) => (Date.parse(created_at) < Date.parse(first) ? created_at : first), attempt.from) }));
}

const later = (one: string, other: string): string => (Date.parse(one) < Date.parse(other) ? other : one);

/** How many of the runs that one started have ended, and how many of these failed. */
export function tally(children: readonly Pick<StartedRun, "status" | "finished_at">[]): { all: number; ended: number; failed: number } {
  return { all: children.length, ended: children.filter(({ finished_at }) => finished_at !== null).length, failed: children.filter(({ status }) => status === "failed").length };
}
