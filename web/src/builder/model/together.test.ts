import { describe, expect, it } from "vitest";
import type { CompiledEdge, CompiledNode, CompiledWorkflow } from "../../canvas/compiled";
import { sidesOf, together, waysApart } from "./together";

function workflow(nodes: readonly string[], edges: readonly (readonly [string, string, string | null])[]): CompiledWorkflow {
  const node = (id: string): CompiledNode => ({ id, type: "approval", name: id, config: {}, provenance: "slot:main", parent: null, outcomes: [], waits: false });
  const edge = ([source, target, outcome]: readonly [string, string, string | null]): CompiledEdge => ({ id: `${source}[${outcome ?? ""}]->${target}`, source, target, outcome, condition: null, label: null, returns: false, interrupts: false, provenance: "slot:main" });
  return {
    entity_type: "claim",
    start: "large",
    nodes_by_id: Object.fromEntries(nodes.map((id) => [id, node(id)])),
    edges_by_id: Object.fromEntries(edges.map(edge).map((each) => [each.id, each])),
    topological_order: nodes,
    bodies: {},
    slots: {},
  };
}

const before = workflow(["large", "pass", "end"], [["large", "pass", "false"], ["pass", "end", null]]);
const after = workflow(["large", "finance", "end"], [["large", "finance", "true"], ["finance", "end", "approved"]]);

describe("two workflows on one drawing", () => {
  it("has what both have once, and what only one has beside it", () => {
    const both = together(before, after);
    expect(both.topological_order).toEqual(["large", "finance", "end", "pass"]);
    expect(Object.keys(both.edges_by_id).sort()).toEqual(["finance[approved]->end", "large[false]->pass", "large[true]->finance", "pass[]->end"]);
    expect(together(null, after)).toBe(after);
  });

  it("marks everything that was found to differ", () => {
    expect(sidesOf({ slots: [{ changes: [{ id: "pass", kind: "removed" }, { id: "finance", kind: "added" }] }] })).toEqual(new Map([["pass", "removed"], ["finance", "added"]]));
  });

  it("marks the steps and edges that only one of a document's two ways takes", () => {
    const marks = waysApart(together(before, after), [["large", "false"], ["pass", "completed"], ["end", "completed"]], [["large", "true"], ["finance", "approved"], ["end", "completed"]]);
    expect(marks).toEqual(
      new Map([
        ["finance", "added"], ["large[true]->finance", "added"], ["finance[approved]->end", "added"],
        ["pass", "removed"], ["large[false]->pass", "removed"], ["pass[]->end", "removed"],
      ]),
    );
  });
});
