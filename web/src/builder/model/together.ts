/** Two workflows on one drawing: what both have once, and what only one of them has beside it. */
import type { CompiledWorkflow } from "../../canvas/compiled";

/** Everything of `after`, and what `before` had that it has not, where its ends can still be drawn. */
export function together(before: CompiledWorkflow | null, after: CompiledWorkflow): CompiledWorkflow {
  if (!before) return after;
  const gone = before.topological_order.filter((id) => !(id in after.nodes_by_id));
  return {
    ...after,
    nodes_by_id: { ...before.nodes_by_id, ...after.nodes_by_id },
    edges_by_id: { ...before.edges_by_id, ...after.edges_by_id },
    topological_order: [...after.topological_order, ...gone],
    bodies: { ...before.bodies, ...after.bodies },
    slots: { ...before.slots, ...after.slots },
  };
}

export type Side = "added" | "removed" | "changed";

interface Compared {
  readonly slots: readonly { readonly changes: readonly { readonly id: string; readonly kind: Side }[] }[];
}

/** What to mark on such a drawing: everything that was compared and differs. */
export function sidesOf({ slots }: Compared): ReadonlyMap<string, Side> {
  return new Map(slots.flatMap(({ changes }) => changes.map(({ id, kind }) => [id, kind] as const)));
}

type Steps = readonly (readonly [node: string, outcome: string])[];

/** The two ways of one document: steps and edges that only one of them takes. */
export function waysApart(drawn: CompiledWorkflow, before: Steps, after: Steps): ReadonlyMap<string, Side> {
  const [then, now] = [passed(drawn, before), passed(drawn, after)];
  const found = new Map<string, Side>();
  for (const id of now) if (!then.has(id)) found.set(id, "added");
  for (const id of then) if (!now.has(id)) found.set(id, "removed");
  return found;
}

/** The steps of a way, and the edges that lead from one of them to another by the outcome it had. */
function passed(drawn: CompiledWorkflow, steps: Steps): ReadonlySet<string> {
  const ends = new Map<string, Set<string>>();
  for (const [node, outcome] of steps) ends.set(node, (ends.get(node) ?? new Set()).add(outcome));
  const edges = Object.values(drawn.edges_by_id).filter(({ source, target, outcome }) => {
    const had = ends.get(source);
    return had !== undefined && ends.has(target) && (outcome === null || had.has(outcome));
  });
  return new Set([...ends.keys(), ...edges.map(({ id }) => id)]);
}
