/**
 * Rows that never move under the pointer. What came in is counted until somebody asks for it; what changed is changed in its
 * place; what left stays, marked, until the list is renewed. Rows that only follow below (the next page) are simply added.
 */

export interface SteadyRows<Row> {
  shown: readonly Row[];
  /** Rows that are there, in the list's order, and not shown yet. */
  waiting: readonly Row[];
  /** Keys of rows that are shown and no longer there. */
  gone: ReadonlySet<string>;
  /** Keys of rows that left by what the user did: an answer that was on its way before that does not bring them back. */
  left: ReadonlySet<string>;
}

export function steadyRows<Row>(rows: readonly Row[]): SteadyRows<Row> {
  return { shown: rows, waiting: [], gone: new Set(), left: new Set() };
}

/** The list as it is now, laid under what is shown. */
export function received<Row>(state: SteadyRows<Row>, all: readonly Row[], keyOf: (row: Row) => string): SteadyRows<Row> {
  const { left } = state;
  const fresh = all.filter((row) => !left.has(keyOf(row)));
  if (state.shown.length === 0) return { ...steadyRows(fresh), left };
  const now = new Map(fresh.map((row) => [keyOf(row), row]));
  const known = new Set(state.shown.map(keyOf));
  const last = fresh.findLastIndex((row) => known.has(keyOf(row)));
  const below = last < 0 ? [] : fresh.slice(last + 1);
  return {
    shown: [...state.shown.map((row) => now.get(keyOf(row)) ?? row), ...below],
    waiting: (last < 0 ? fresh : fresh.slice(0, last)).filter((row) => !known.has(keyOf(row))),
    gone: new Set([...known].filter((key) => !now.has(key))),
    left,
  };
}

/** The user asked: the list as it is. */
export function renewed<Row>(state: SteadyRows<Row>, fresh: readonly Row[], keyOf: (row: Row) => string): SteadyRows<Row> {
  return { ...steadyRows(fresh.filter((row) => !state.left.has(keyOf(row)))), left: state.left };
}

/** A row leaves because of what the user did to it, so its going surprises nobody. */
export function withoutRow<Row>(state: SteadyRows<Row>, key: string, keyOf: (row: Row) => string): SteadyRows<Row> {
  return {
    shown: state.shown.filter((row) => keyOf(row) !== key),
    waiting: state.waiting.filter((row) => keyOf(row) !== key),
    gone: new Set([...state.gone].filter((each) => each !== key)),
    left: new Set([...state.left, key]),
  };
}

/** What to select after a row left: the one in its place, else the last. */
export function nextKey<Row>(shown: readonly Row[], left: string, keyOf: (row: Row) => string): string | undefined {
  const at = shown.findIndex((row) => keyOf(row) === left);
  const next = shown[at + 1] ?? shown[at - 1];
  return next === undefined ? undefined : keyOf(next);
}
