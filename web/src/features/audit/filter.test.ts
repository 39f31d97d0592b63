import { expect, test } from "vitest";
import { eventFilter, isObjectId } from "./filter";

const ID = "01a1e18f-f64c-708a-b7fa-eddf68f6e23e";

test("an address becomes a filter, and what is not valid in it is left out", () => {
  expect(eventFilter({ kind: "access", object: ` ${ID.toUpperCase()} ` })).toEqual({ kind: "access", object: ID });
  expect(eventFilter({ kind: "moon", object: "7" })).toEqual({});
  expect(eventFilter({ kind: 3, object: null })).toEqual({});
});

test("an object is named by its whole id", () => {
  expect(isObjectId(ID)).toBe(true);
  expect(isObjectId(ID.slice(1))).toBe(false);
  expect(isObjectId("")).toBe(false);
});
