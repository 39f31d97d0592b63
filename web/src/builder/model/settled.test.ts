import { expect, test } from "vitest";
import { drawingOf } from "./drawing";
import { begin, insertOn, setNode } from "./edits";
import { EMPTY } from "./patch";
import { settled, shapeOf } from "./settled";

const first = begin(EMPTY, { type: "condition", name: "Large", config: { expression: "entity.total > 1" } }).patch;
const patch = insertOn(first, "large>out#0", { type: "approval", name: "Finance", config: {} }).patch;

test("while an expression is typed, the drawing is the very same", () => {
  const before = drawingOf(patch);
  const after = drawingOf(setNode(patch, "large", { config: { expression: "entity.total > 12" } }).patch);
  expect(after).not.toBe(before);
  expect(settled(before, after)).toBe(before);
});

test("another name is another step on the same layout, and the other steps are the same", () => {
  const before = drawingOf(patch);
  const after = drawingOf(setNode(patch, "large", { name: "Larger" }).patch);
  const now = settled(before, after);
  expect(now).not.toBe(before);
  expect(now.nodes.find(({ id }) => id === "large")?.name).toBe("Larger");
  expect(now.nodes.find(({ id }) => id === "finance")).toBe(before.nodes.find(({ id }) => id === "finance"));
  expect(now.edges).toBe(before.edges);
  expect(shapeOf(now)).toBe(shapeOf(before));
});

test("another step is another shape", () => {
  const before = drawingOf(first);
  const now = settled(before, drawingOf(patch));
  expect(shapeOf(now)).not.toBe(shapeOf(before));
  expect(now.nodes).toHaveLength(before.nodes.length + 1);
});
