import { expect, test } from "vitest";
import { heatOf } from "./heat";

const node = (node_id: string, p95_ms: number | null, waiting = 0, failed = 0) => ({ node_id, steps: 1, waiting, failed, p95_ms });

test("a step is as hot as it is long, whatever the others are", () => {
  const { heat } = heatOf({ nodes: [node("a", 2), node("b", 1_000), node("c", 700_000), node("d", 28_800_000), node("e", 9e8), node("f", null)], edges: [] });
  expect(Object.fromEntries(heat ?? [])).toEqual({ b: 1, c: 2, d: 3, e: 4 });
});

test("tokens are what waits, failed steps are marked, and only edges that were taken are", () => {
  const { tokens, marks, taken } = heatOf({ nodes: [node("a", 1, 7), node("b", 1, 0, 2)], edges: [{ edge_id: "x", taken: 3 }, { edge_id: "y", taken: 0 }] });
  expect([[...tokens], [...marks], [...taken]]).toEqual([[["a", 7]], [["b", "failed"]], ["x"]]);
});
