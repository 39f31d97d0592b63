import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "../json/json";
import { type CompiledWorkflow, compiledOf } from "./compiled";
import { graphOf } from "./graph";
import { type Box, layoutOf } from "./layout";
import { largeWorkflow } from "./large.fixture";
import { overlayOf } from "./overlay";
import { pathsOf } from "./paths";
import { stepOf, walk } from "./walk";

const invoice = (): CompiledWorkflow => {
  const found = compiledOf(parse(readFileSync(join(import.meta.dirname, "invoice.fixture.json"), "utf8")));
  if (!found) throw new Error("no workflow");
  return found;
};
const graph = graphOf(invoice());
const SLOT = "usr:slot:submitted_to_approved:";

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
const within = (inner: Box, outer: Box) =>
  inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;

describe("a compiled workflow", () => {
  test("is drawn whole: every node, every edge, a frame for each slot and body", () => {
    expect(graph.nodes).toHaveLength(26);
    expect(graph.edges.filter(({ kind }) => kind !== "item")).toHaveLength(Object.keys(invoice().edges_by_id).length);
    expect(graph.frames.map(({ id, parent }) => [id, parent])).toEqual([
      ["slot:approved_to_active", null],
      ["slot:draft_to_submit", null],
      ["slot:submitted_to_approved", null],
      ["body:usr:slot:approved_to_active:each_line", "slot:approved_to_active"],
    ]);
  });

  test("says what is locked and why, what returns, and where a slot is empty", () => {
    const locks = Object.fromEntries(graph.nodes.map(({ id, lock }) => [id, lock]));
    expect(locks["sys:gate:approve"]).toBe("gate");
    expect(locks["sys:state:draft"]).toBe("state");
    expect(locks[`${SLOT}finance`]).toBeNull();
    const edge = (id: string) => graph.edges.find((each) => each.id === id);
    expect(edge("sys:gate:approve[rejected]->sys:state:draft")).toMatchObject({ kind: "returns", label: "rejected" });
    expect(edge("sys:state:draft[cancel]->sys:gate:cancel")?.kind).toBe("interrupts");
    expect(edge("sys:state:amended[submit]->sys:gate:submit")?.emptySlot).toBe("slot:amendment_cycle");
  });

  test("is told from anything else", () => {
    for (const value of [null, 3, {}, { nodes_by_id: {} }]) expect(compiledOf(value)).toBeNull();
  });
});

describe.each(["right", "down"] as const)("a layout to the %s", (direction) => {
  const layout = layoutOf(graph, direction);

  test("puts nothing over anything else, and everything into its frame", () => {
    const boxes = [...layout.nodes.entries()];
    expect(boxes).toHaveLength(graph.nodes.length);
    for (const [id, box] of boxes) {
      for (const [other, its] of boxes) if (id < other) expect(overlap(box, its), `${id} ${other}`).toBe(false);
      for (const [frame, its] of layout.frames) {
        const own = graph.nodes.find((node) => node.id === id)?.frame;
        const mine = own === frame || graph.frames.find((each) => each.id === own)?.parent === frame;
        expect(mine ? within(box, its) : overlap(box, its), `${id} ${frame}`).toBe(mine);
      }
    }
  });

  test("runs onward: every edge but a way back leads further", () => {
    const start = (box: Box) => (direction === "right" ? box.x : box.y);
    for (const { source, target, kind } of graph.edges) {
      const [from, to] = [layout.nodes.get(source), layout.nodes.get(target)];
      if (!from || !to) throw new Error("not laid out");
      if (kind !== "returns") expect(start(to), `${source} ${target}`).toBeGreaterThan(start(from));
    }
  });

  test("is the same for the same graph, and draws a line for each edge", () => {
    expect(layoutOf(graphOf(invoice()), direction)).toEqual(layout);
    const paths = pathsOf(graph, layout);
    expect(paths.size).toBe(graph.edges.length);
    for (const { d } of paths.values()) expect(d).toMatch(/^M-?[\d.]+,-?[\d.]+/);
    expect([...paths.values()].filter(({ d }) => d.includes("NaN"))).toEqual([]);
  });
});

test("the words of two edges between the same nodes do not lie on each other", () => {
  const paths = pathsOf(graph, layoutOf(graph));
  const [approved, rejected] = ["approved", "rejected"].map((outcome) => paths.get(`${SLOT}finance[${outcome}]->join`)?.label);
  expect(Math.abs((approved?.y ?? 0) - (rejected?.y ?? 0))).toBeGreaterThanOrEqual(12);
});

test("a change in one slot moves nothing inside another", () => {
  const inside = (workflow: CompiledWorkflow) => {
    const layout = layoutOf(graphOf(workflow));
    const frame = layout.frames.get("slot:draft_to_submit");
    const node = layout.nodes.get("usr:slot:draft_to_submit:complete");
    return frame && node && { x: node.x - frame.x, y: node.y - frame.y };
  };
  const less = invoice();
  const nodes = Object.fromEntries(Object.entries(less.nodes_by_id).filter(([id]) => id !== `${SLOT}budget`));
  const order = less.topological_order.filter((id) => id !== `${SLOT}budget`);
  expect(inside({ ...less, nodes_by_id: nodes, topological_order: order })).toEqual(inside(invoice()));
});

test("three hundred nodes are laid out while nobody waits", () => {
  const large = graphOf(largeWorkflow(300));
  expect(large.nodes.length).toBeGreaterThanOrEqual(300);
  expect(layoutOf(large).nodes.size).toBe(large.nodes.length);
});

test("an overlay tells where it is now, how it came there, and what failed", () => {
  const overlay = overlayOf({
    tokens: [`${SLOT}finance`, `${SLOT}finance`, `${SLOT}budget`],
    steps: [
      { node_id: `${SLOT}large`, status: "completed", chosen_edge_ids: [`${SLOT}large[true]->split`] },
      { node_id: `${SLOT}finance`, status: "completed", chosen_edge_ids: null },
      { node_id: `${SLOT}finance`, status: "waiting", chosen_edge_ids: [] },
      { node_id: `${SLOT}budget`, status: "failed", chosen_edge_ids: null },
    ],
  });
  expect(overlay.tokens.get(`${SLOT}finance`)).toBe(2);
  expect([...overlay.marks.values()]).toEqual(["done", "waiting", "failed"]);
  expect([...overlay.taken]).toEqual([`${SLOT}large[true]->split`]);
});

describe("arrow keys", () => {
  const layout = layoutOf(graph);
  const go = (here: string, step: Parameters<typeof walk>[3], from?: string) => walk(graph, layout, here, step, from);

  test("lead along the edges, and back the way one came", () => {
    expect(go("sys:start", "next")).toBe("sys:state:draft");
    const after = go(`${SLOT}split`, "next");
    expect([`${SLOT}finance`, `${SLOT}budget`]).toContain(after);
    expect(go(`${SLOT}join`, "previous", `${SLOT}budget`)).toBe(`${SLOT}budget`);
    expect(go(`${SLOT}join`, "previous", `${SLOT}finance`)).toBe(`${SLOT}finance`);
    expect(go("sys:start", "previous")).toBeNull();
  });

  test("lead from branch to branch", () => {
    const [one, other] = [go(`${SLOT}finance`, "after"), go(`${SLOT}finance`, "before")];
    expect([one, other]).toContain(`${SLOT}budget`);
  });

  test("reach every node from the start", () => {
    const seen = new Set<string>();
    const visit = (id: string | null) => {
      if (id === null || seen.has(id)) return;
      seen.add(id);
      for (const step of ["next", "previous", "before", "after"] as const) visit(go(id, step));
    };
    visit("sys:start");
    expect(graph.nodes.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  });

  test("turn with the drawing", () => {
    expect([stepOf("ArrowRight", "right"), stepOf("ArrowDown", "right"), stepOf("ArrowDown", "down")]).toEqual(["next", "after", "next"]);
    expect(stepOf("x", "right")).toBeNull();
  });
});
