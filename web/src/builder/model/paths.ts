/** Questions about the graph of one region: what comes before what, and which steps lie between a split and its join. */
import { IN, OUT, type Patch } from "./patch";

type Ways = ReadonlyMap<string, readonly string[]>;

export function onward(patch: Patch): Ways {
  return waysOf(patch, (edge) => [edge.source, edge.target]);
}

export function backward(patch: Patch): Ways {
  return waysOf(patch, (edge) => [edge.target, edge.source]);
}

function waysOf(patch: Patch, ends: (edge: Patch["edges"][number]) => [string, string]): Ways {
  const found = new Map<string, string[]>();
  for (const edge of patch.edges) {
    if (edge.returns) continue;
    const [from, to] = ends(edge);
    found.set(from, [...(found.get(from) ?? []), to]);
  }
  return found;
}

/** Everything that can be reached, the beginning included. */
export function reached(ways: Ways, from: string): ReadonlySet<string> {
  const seen = new Set([from]);
  const left = [from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const next of ways.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(next);
    }
  }
  return seen;
}

/** Whether forward edges lead from one step to another. */
export const comesBefore = (patch: Patch, one: string, other: string): boolean => one !== other && reached(onward(patch), one).has(other);

export interface Block {
  readonly split: string;
  readonly join: string;
  /** What lies between them, neither included. */
  readonly inside: ReadonlySet<string>;
}

/** Each split with the first join that all of its branches reach; a split whose branches do not meet has none. */
export function blocksOf(patch: Patch): readonly Block[] {
  const ways = onward(patch);
  const types = new Map(patch.nodes.map(({ id, type }) => [id, type]));
  const order = orderOf(patch);
  return patch.nodes.flatMap((node): Block[] => {
    if (node.type !== "parallel_split") return [];
    const branches = ways.get(node.id) ?? [];
    const sets = branches.map((branch) => reached(ways, branch));
    const join = order.find((id) => types.get(id) === "parallel_join" && sets.length > 0 && sets.every((set) => set.has(id)) && nested(patch, types, ways, node.id, id));
    if (join === undefined) return [];
    const before = reached(backward(patch), join);
    const inside = [...reached(ways, node.id)].filter((id) => before.has(id) && id !== node.id && id !== join);
    return [{ split: node.id, join, inside: new Set(inside) }];
  });
}

/** On the way to its own join a split passes as many other splits as joins. */
function nested(_patch: Patch, types: ReadonlyMap<string, string>, ways: Ways, split: string, join: string): boolean {
  let [at, depth] = [ways.get(split)?.[0], 0];
  for (let steps = 0; at !== undefined && steps < 10_000; steps++) {
    if (at === join) return depth === 0;
    if (types.get(at) === "parallel_split") depth++;
    if (types.get(at) === "parallel_join") depth--;
    if (depth < 0) return false;
    at = ways.get(at)?.[0];
  }
  return false;
}

/** The steps in an order in which nothing comes before what leads to it; the same for the same patch. */
export function orderOf(patch: Patch): readonly string[] {
  const ways = onward(patch);
  const into = new Map<string, number>();
  for (const targets of ways.values()) for (const target of targets) into.set(target, (into.get(target) ?? 0) + 1);
  const ids = [IN, ...patch.nodes.map(({ id }) => id), OUT];
  const ready = ids.filter((id) => !into.get(id));
  const order: string[] = [];
  for (let at = ready.shift(); at !== undefined; at = ready.shift()) {
    order.push(at);
    for (const next of ways.get(at) ?? []) {
      const left = (into.get(next) ?? 0) - 1;
      into.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  // What is in a circle comes last: it is drawn all the same, and the compiler says what is wrong.
  return [...order, ...ids.filter((id) => !order.includes(id))];
}
