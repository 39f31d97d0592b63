/** What happened to one instance, laid over the drawing: where its tokens are, which edges it took, how each step ended. */

export interface Step {
  node_id: string;
  status: string;
  chosen_edge_ids: readonly string[] | null;
}

export interface Progress {
  /** The nodes at which tokens are, one entry a token. */
  tokens: readonly string[];
  steps: readonly Step[];
}

export type NodeMark = "waiting" | "done" | "failed" | "here";

export interface Overlay {
  tokens: ReadonlyMap<string, number>;
  marks: ReadonlyMap<string, NodeMark>;
  taken: ReadonlySet<string>;
  /** How hot a node is, from 1 to 4: of all instances rather than of one. */
  heat?: ReadonlyMap<string, number>;
}

export const NOTHING: Overlay = { tokens: new Map(), marks: new Map(), taken: new Set() };

const DONE = new Set(["completed", "succeeded", "skipped"]);
const FAILED = new Set(["failed", "error", "dead"]);
const WAITING = new Set(["waiting", "pending", "running"]);

/** A node passed several times shows how it stands now: a token there says more than any step, a later step more than an earlier. */
export function overlayOf({ tokens, steps }: Progress): Overlay {
  const counted = new Map<string, number>();
  for (const node of tokens) counted.set(node, (counted.get(node) ?? 0) + 1);
  const marks = new Map<string, NodeMark>();
  for (const { node_id, status } of steps) {
    const mark = DONE.has(status) ? "done" : FAILED.has(status) ? "failed" : WAITING.has(status) ? "waiting" : null;
    if (mark) marks.set(node_id, mark);
  }
  for (const node of counted.keys()) if (marks.get(node) !== "failed") marks.set(node, marks.get(node) === "waiting" ? "waiting" : "here");
  return { tokens: counted, marks, taken: new Set(steps.flatMap(({ chosen_edge_ids }) => chosen_edge_ids ?? [])) };
}
