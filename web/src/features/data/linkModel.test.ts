import { expect, test } from "vitest";
import { around, type Match } from "./linkModel";

const match = (id: string, direction: Match["direction"] = "forward"): Match => ({ type: "b", id, relation: "paid_by", direction });

test("a record is drawn with what it is linked with, in both directions", () => {
  expect(around([match("2")], 400, 200)).toEqual([{ record: "b/2", relation: "paid_by", outward: true, x: 200, y: 24 }]);
  expect(around([match("1"), match("3", "reverse")], 400, 200).map(({ record, outward }) => [record, outward])).toEqual([["b/1", true], ["b/3", false]]);
});

test("no two of them lie in one place, and none outside of the drawing", () => {
  const found = around(Array.from({ length: 30 }, (_, at) => match(String(at))), 400, 200);
  expect(new Set(found.map(({ x, y }) => `${x.toFixed(0)} ${y.toFixed(0)}`)).size).toBe(12);
  expect(found.every(({ x, y }) => x > 0 && x < 400 && y > 0 && y < 200)).toBe(true);
});
