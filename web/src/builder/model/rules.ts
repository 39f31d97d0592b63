/** What may be drawn. Whatever the compiler would refuse cannot be connected, and the reason is a code with words in every language. */
import { IN, OUT, nodeOf, type Patch } from "./patch";
import { blocksOf, comesBefore } from "./paths";

export const REFUSALS = ["self", "into_in", "out_of_out", "in_to_out", "same", "crosses", "unguarded_return", "join_only"] as const;
export type Refusal = (typeof REFUSALS)[number];

export type Connection = { kind: "forward" | "returns" } | { kind: "refused"; why: Refusal };

const refused = (why: Refusal): Connection => ({ kind: "refused", why });

/** What an edge from one step to another would be: a way on, a way back, or nothing that can be. */
export function connection(patch: Patch, source: string, target: string, guard?: { outcome?: string; condition?: string }): Connection {
  if (target === IN) return refused("into_in");
  if (source === OUT) return refused("out_of_out");
  if (source === IN && target === OUT) return refused("in_to_out");
  const alike = patch.edges.some((edge) => edge.source === source && edge.target === target && edge.outcome === guard?.outcome && edge.condition === guard?.condition);
  if (alike) return refused("same");
  const back = source === target || comesBefore(patch, target, source);
  const [from, to] = [branchOf(patch, source), branchOf(patch, target)];
  const type = nodeOf(patch, target)?.type;
  if (back) {
    if (source === target && nodeOf(patch, source)?.type === "parallel_split") return refused("self");
    if (from !== to) return refused("crosses");
    return guard && guard.outcome === undefined && guard.condition === undefined ? refused("unguarded_return") : { kind: "returns" };
  }
  const blocks = blocksOf(patch);
  const opened = blocks.find(({ split }) => split === source);
  // Out of a split every way leads into a branch of its own; into a join every way leads out of one.
  if (opened) return to === null || to.split(" ")[0] === opened.split || target === opened.join ? { kind: "forward" } : refused("crosses");
  const closing = blocks.find(({ join }) => join === target);
  if (closing) return closing.inside.has(source) ? { kind: "forward" } : refused("join_only");
  if (type === "parallel_join") return { kind: "forward" };
  return from === to ? { kind: "forward" } : refused("crosses");
}

/** Which branch of which split a step lies in, innermost; null outside of all of them. */
export function branchOf(patch: Patch, id: string): string | null {
  const around = blocksOf(patch).filter(({ inside }) => inside.has(id));
  const innermost = around.reduce<(typeof around)[number] | null>((best, block) => (best === null || block.inside.size < best.inside.size ? block : best), null);
  if (innermost === null) return null;
  const branches = patch.edges.filter(({ source, returns }) => source === innermost.split && !returns).map(({ target }) => target);
  const first = branches.find((branch) => branch === id || (innermost.inside.has(branch) && comesBefore(patch, branch, id)));
  return `${innermost.split} ${first ?? id}`;
}
