/** What the facts of a run mean to somebody who looks at it. */
import type { RunInfo, RunSummary, TypeStats } from "../../api/types";
import { formats } from "../../i18n/formats";
import { RUN_STATUSES, type RunStatus, runStatus } from "./filter";

type Facts = Pick<RunSummary, "status" | "run_at" | "attempt" | "finished_at">;

/** The colour of a status; the word beside it says the same. */
export const STATUS_COLORS: Record<RunStatus, string> = {
  pending: "slate",
  leased: "ochre",
  succeeded: "kelp",
  failed: "rust",
  cancelled: "slate",
};

export const isFinished = (run: Pick<RunSummary, "finished_at">): boolean => run.finished_at !== null;

/** Whether a run waits for its time: enqueued for later, or between two attempts. */
export function isDelayed(run: Facts, now: Date): boolean {
  return run.status === "pending" && new Date(run.run_at) > now;
}

/** What a run waits for: its first attempt at a later time, another attempt, or a worker. */
export function waitingFor(run: Facts, now: Date): "later" | "retry" | "worker" | null {
  if (run.status !== "pending") return null;
  if (!isDelayed(run, now)) return "worker";
  return run.attempt > 0 ? "retry" : "later";
}

/** How many runs are in each status, whatever their type. */
export function countByStatus(stats: readonly TypeStats[]): Record<RunStatus, number> {
  const counts = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])) as Record<RunStatus, number>;
  for (const { status, runs } of stats) {
    const known = runStatus(status);
    if (known) counts[known] += runs;
  }
  return counts;
}

/** The types there are, for suggestions. */
export function typesOf(stats: readonly TypeStats[]): string[] {
  return [...new Set(stats.map(({ type }) => type))].sort();
}

export interface RunError {
  title: string;
  message: string | undefined;
  traceback: string | undefined;
  code: string | undefined;
}

/** What went wrong with a run, from whatever its error holds. */
export function errorOf(run: Pick<RunInfo, "error" | "last_error" | "status">): RunError | null {
  if (!run.error && (!run.last_error || run.status === "cancelled")) return null;
  const fact = (name: string) => {
    const value = run.error?.[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    title: fact("type") ?? fact("code") ?? run.last_error ?? "",
    message: fact("message"),
    traceback: fact("traceback"),
    code: fact("code"),
  };
}

/** The name of the schedule's id that enqueued a run, from its idempotency key. */
export function scheduleOf(key: string | null): string | null {
  return /^schedule:([0-9a-f-]{36}):/.exec(key ?? "")?.[1] ?? null;
}

/** How long something took: "0.4 s", "12 s", "3 min 5 s", "2 h 4 min". */
export function duration(from: string, to: string): string {
  const seconds = Math.max(0, (new Date(to).getTime() - new Date(from).getTime()) / 1000);
  if (seconds < 10) return `${(Math.round(seconds * 10) / 10).toLocaleString(formats())} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
