/** What of an operation is looked at, as it stands in the address; and what can be said of how it went. */

export const OUTCOMES = ["succeeded", "skipped", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface OperationView {
  outcome?: Outcome;
}

export function operationView(search: Readonly<Record<string, unknown>>): OperationView {
  const outcome = OUTCOMES.find((each) => each === search.outcome);
  return outcome ? { outcome } : {};
}

interface Facts {
  status: string;
  total: number | null;
  succeeded: number;
  skipped: number;
  failed: number;
}

export const doneOf = ({ succeeded, skipped, failed }: Facts): number => succeeded + skipped + failed;
export const underWay = ({ status }: Pick<Facts, "status">): boolean => status === "pending" || status === "running";

/** In per cent; unknown while nobody counted. What is over is whole only if nothing was left out. */
export function progressOf(operation: Facts): number | null {
  if (operation.total === null) return operation.status === "completed" ? 100 : null;
  if (operation.total === 0) return 100;
  return Math.min(100, Math.floor((100 * doneOf(operation)) / operation.total));
}

/** How it went. That it came to its end does not mean that all of it went well. */
export function verdictOf(operation: Facts): "under_way" | "all_well" | "nothing" | "partly" | "cancelled" | "broke_off" {
  if (underWay(operation)) return "under_way";
  if (operation.status === "cancelled") return "cancelled";
  if (operation.status === "failed") return "broke_off";
  if (doneOf(operation) === 0) return "nothing";
  return operation.failed + operation.skipped === 0 ? "all_well" : "partly";
}

/** The operations there are words for; others are named as the server names them. */
export const KINDS = ["runs.retry", "runs.cancel", "runs.delete", "engine.replay", "engine.skip", "effects.replay", "effects.skip", "outbox.replay", "outbox.skip"] as const;
export type Kind = (typeof KINDS)[number];
export const kindOf = (kind: string): Kind | undefined => KINDS.find((each) => each === kind);
export const wordOf = (kind: Kind) => kind.replace(".", "_") as "runs_retry" | "runs_cancel" | "runs_delete" | "engine_replay" | "engine_skip" | "effects_replay" | "effects_skip" | "outbox_replay" | "outbox_skip";
export const needsReason = (kind: Kind): boolean => kind === "runs.cancel" || kind === "runs.delete" || kind.endsWith(".skip");
