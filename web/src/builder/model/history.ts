/** One stack of what was done, over steps, edges, properties and every letter of an expression alike. */
import type { Patches } from "./patch";

export interface History {
  readonly past: readonly Patches[];
  readonly present: Patches;
  readonly future: readonly Patches[];
  /** What the last change was about: typing on in one field is one thing to undo. */
  readonly about: string | null;
}

const LONGEST = 200;

export const started = (present: Patches): History => ({ past: [], present, future: [], about: null });

export function changed(history: History, next: Patches, about: string | null = null): History {
  if (next === history.present) return history;
  if (about !== null && about === history.about) return { ...history, present: next, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST), present: next, future: [], about };
}

export function undone(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], about: null };
}

export function redone(history: History): History {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, about: null };
}
