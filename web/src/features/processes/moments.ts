/**
 * The history of a process as moments: each time something happened to it, and how it stood after that. Steps keep when they were
 * opened and settled, so any moment can be worked out from them alone.
 */
import type { Instance, ProcessStep } from "../../api/types";
import { type Overlay, overlayOf } from "../../canvas/overlay";
import { isObject } from "../../json/json";

export interface Moment {
  at: string;
  /** The steps that were settled in it, in order. */
  settled: readonly ProcessStep[];
  opened: readonly ProcessStep[];
}

const instant = (text: string): number => new Date(text).getTime();
/** What is settled in one transaction shares one instant. */
export function momentsOf(steps: readonly ProcessStep[]): Moment[] {
  const times = new Map<number, string>();
  for (const { created_at, completed_at } of steps) {
    times.set(instant(created_at), created_at);
    if (completed_at) times.set(instant(completed_at), completed_at);
  }
  return [...times]
    .sort(([one], [other]) => one - other)
    .map(([time, at]) => ({
      at,
      settled: steps.filter(({ completed_at }) => completed_at !== null && instant(completed_at) === time).sort(bySeq),
      opened: steps.filter(({ created_at, completed_at }) => instant(created_at) === time && (completed_at === null || instant(completed_at) > time)),
    }));
}

const bySeq = (one: ProcessStep, other: ProcessStep): number => (one.settled_seq ?? one.opened_seq) - (other.settled_seq ?? other.opened_seq);

/** The steps as they were then: those not opened yet are not there, those not settled yet are still open. */
export function stepsAt(steps: readonly ProcessStep[], at: string | null): ProcessStep[] {
  if (at === null) return [...steps];
  const then = instant(at);
  return steps
    .filter(({ created_at }) => instant(created_at) <= then)
    .map((step) =>
      step.completed_at !== null && instant(step.completed_at) > then
        ? { ...step, status: "pending", outcome: null, completed_at: null, settled_seq: null, settled_by: null, output: {}, error: null }
        : step,
    );
}

/** Tokens, marks and taken edges of steps, for the drawing. */
export function overlayAt(steps: readonly ProcessStep[]): Overlay {
  const ordered = [...steps].sort((one, other) => one.opened_seq - other.opened_seq);
  return overlayOf({
    tokens: ordered.filter(isOpen).map(({ node_id }) => node_id),
    steps: ordered.map((step) => ({ node_id: step.node_id, status: step.status, chosen_edge_ids: chosenEdges(step) })),
  });
}

export function isOpen({ completed_at, status }: Pick<ProcessStep, "completed_at" | "status">): boolean {
  return completed_at === null && status !== "cancelled";
}

function chosenEdges({ output }: Pick<ProcessStep, "output">): string[] {
  const edges: unknown = isObject(output) ? output.chosen_edge_ids : undefined;
  return Array.isArray(edges) ? edges.filter((edge): edge is string => typeof edge === "string") : [];
}

export interface TraceLine {
  expression: string;
  result: boolean;
  because: string;
  variables: readonly (readonly [name: string, value: unknown])[];
}

/** The expressions a step decided by, with the values they read. */
export function traceLines({ output }: Pick<ProcessStep, "output">): TraceLine[] {
  const given: unknown = isObject(output) ? output.expressions : undefined;
  if (!Array.isArray(given)) return [];
  return given.filter(isObject).map((each) => ({
    expression: typeof each.expression === "string" ? each.expression : "",
    result: each.result === true,
    because: typeof each.because === "string" ? each.because : "",
    variables: isObject(each.variables) ? Object.entries(each.variables) : [],
  }));
}

/** The version of the document at an instant: the newest that was there. */
export function versionAt<Version extends { version: number; created_at: string }>(versions: readonly Version[], at: string | null): Version | undefined {
  const there = at === null ? versions : versions.filter(({ created_at }) => instant(created_at) <= instant(at));
  return there.reduce<Version | undefined>((newest, each) => (newest && newest.version > each.version ? newest : each), undefined);
}

/** Where a process rests: not where it split, which only waits for its branches. */
export function restingNodes({ current_nodes, active_tokens }: Pick<Instance, "current_nodes" | "active_tokens">): string[] {
  const split = new Set(active_tokens.filter((token) => token.state === "split").map((token) => token.node));
  const resting = current_nodes.filter((node) => !split.has(node));
  return resting.length > 0 ? resting : [...current_nodes];
}
