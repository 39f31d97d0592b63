import { expect, test } from "vitest";
import { around, type Linked } from "./linkModel";

const link = (left: string, right: string, relation = "same_as"): Linked => ({ link_id: `${left}${right}`, left_type: "a", left_id: left, right_type: "b", right_id: right, relation });

test("a record is drawn with what it is linked with, in both directions, and with nothing else", () => {
  const found = around([link("1", "2"), link("3", "2"), link("4", "5")], "b/2", 400, 200);
  expect(found.map(({ record, outward }) => [record, outward])).toEqual([["a/1", false], ["a/3", false]]);
  expect(around([link("1", "2", "paid_by")], "a/1", 400, 200)).toEqual([{ record: "b/2", relation: "paid_by", outward: true, x: 200, y: 24 }]);
});

test("no two of them lie in one place, and none outside of the drawing", () => {
  const found = around(Array.from({ length: 30 }, (_, at) => link("1", String(at))), "a/1", 400, 200);
  expect(new Set(found.map(({ x, y }) => `${x.toFixed(0)} ${y.toFixed(0)}`)).size).toBe(12);
  expect(found.every(({ x, y }) => x > 0 && x < 400 && y > 0 && y < 200)).toBe(true);
});
