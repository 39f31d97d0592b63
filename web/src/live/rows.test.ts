import { expect, test } from "vitest";
import { nextKey, received, renewed, steadyRows, withoutRow } from "./rows";

interface Row {
  id: string;
  text?: string;
}
const rows = (ids: string): Row[] => Array.from(ids, (id) => ({ id }));
const key = (row: Row) => row.id;
const ids = (list: readonly Row[]) => list.map(key).join("");

test("what comes in is counted, and moves nothing", () => {
  const state = received(steadyRows(rows("abc")), rows("xaybzc"), key);
  expect([ids(state.shown), ids(state.waiting)]).toEqual(["abc", "xyz"]);
  const later = received(state, rows("wxaybzc"), key);
  expect([ids(later.shown), ids(later.waiting)]).toEqual(["abc", "wxyz"]);
  expect(ids(renewed(later, rows("wxaybzc"), key).shown)).toBe("wxaybzc");
});

test("another order of the same rows moves nothing either", () => {
  expect(ids(received(steadyRows(rows("abc")), rows("cab"), key).shown)).toBe("abc");
});

test("what changed is changed in its place, what left stays and is marked", () => {
  const state = received(steadyRows(rows("abc")), [{ id: "b", text: "new" }, { id: "c" }], key);
  expect(state.shown).toEqual([{ id: "a" }, { id: "b", text: "new" }, { id: "c" }]);
  expect([...state.gone]).toEqual(["a"]);
});

test("the next page follows below", () => {
  const state = received(steadyRows(rows("abc")), rows("xabcde"), key);
  expect([ids(state.shown), ids(state.waiting)]).toEqual(["abcde", "x"]);
});

test("an empty list takes what comes, and one that was replaced whole waits", () => {
  expect(ids(received(steadyRows(rows("")), rows("ab"), key).shown)).toBe("ab");
  const state = received(steadyRows(rows("ab")), rows("xy"), key);
  expect([ids(state.shown), ids(state.waiting), state.gone.size]).toEqual(["ab", "xy", 2]);
});

test("a row the user dealt with leaves, and the next one is selected", () => {
  const state = steadyRows(rows("abc"));
  expect(ids(withoutRow(state, "b", key).shown)).toBe("ac");
  expect([nextKey(state.shown, "b", key), nextKey(state.shown, "c", key), nextKey(rows("a"), "a", key)]).toEqual(["c", "b", undefined]);
});

test("a row the user dealt with is not brought back by an answer that was on its way", () => {
  const state = withoutRow(steadyRows(rows("abc")), "b", key);
  const late = received(state, rows("abc"), key);
  expect([ids(late.shown), ids(late.waiting)]).toEqual(["ac", ""]);
  expect(ids(renewed(late, rows("abcd"), key).shown)).toBe("acd");
});
