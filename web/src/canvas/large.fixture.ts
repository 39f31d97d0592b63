/** A workflow as large as anybody's, for measuring: one slot of many splits in a row. Only for tests, benches and the gallery. */
import type { CompiledEdge, CompiledNode, CompiledWorkflow } from "./compiled";

const TYPES = ["approval", "condition", "wait_timer", "webhook_out", "task"] as const;

export function largeWorkflow(size: number): CompiledWorkflow {
  const nodes: CompiledNode[] = [];
  const edges: CompiledEdge[] = [];
  const add = (id: string, type: string, name: string, provenance: string) => {
    nodes.push({ id, type, name, config: {}, provenance, parent: null, outcomes: ["completed"], waits: false });
    return id;
  };
  const join = (source: string, target: string, outcome: string | null = null, returns = false) =>
    edges.push({ id: `${source}[${outcome ?? ""}]->${target}`, source, target, outcome, condition: null, label: null, returns, interrupts: false, provenance: "slot:main" });
  const start = add("sys:start", "start", "Start", "envelope");
  let last = add("sys:slot:main:in", "attachment", "in", "slot:main");
  join(start, last);
  for (let round = 0; nodes.length < size; round++) {
    const split = add(`split${round}`, "parallel_split", `Ask ${round}`, "slot:main");
    join(last, split);
    const end = add(`join${round}`, "parallel_join", `Asked ${round}`, "slot:main");
    for (let branch = 0; branch < 4; branch++) {
      const type = TYPES[(round + branch) % TYPES.length] ?? "task";
      const first = add(`n${round}.${branch}`, type, `Step ${round}.${branch}`, "slot:main");
      const second = add(`m${round}.${branch}`, "approval", `Decision ${round}.${branch}`, "slot:main");
      join(split, first);
      join(first, second);
      join(second, end, "approved");
    }
    join(`m${round}.0`, split, "rejected", true);
    last = end;
  }
  const out = add("sys:slot:main:out", "attachment", "out", "slot:main");
  join(last, out);
  join(out, add("sys:end", "end", "End", "envelope"));
  return {
    entity_type: "large",
    start,
    nodes_by_id: Object.fromEntries(nodes.map((node) => [node.id, node])),
    edges_by_id: Object.fromEntries(edges.map((edge) => [edge.id, edge])),
    topological_order: nodes.map(({ id }) => id),
    bodies: {},
    slots: { "slot:main": { id: "slot:main", edge: "", edit_window: "editable", stable_region: false, filled: true } },
  };
}
