/** @vitest-environment happy-dom */
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSteadyRows } from "./SteadyList";

const same = (row: string) => row;
const rows = (...names: string[]) => names;

test("another filter begins anew, however long the list of the one before stays there", () => {
  const waiting = rows("a", "b");
  const list = renderHook(({ fresh, filter, former }) => useSteadyRows(fresh, same, filter, former), {
    initialProps: { fresh: waiting, filter: "waiting", former: false },
  });
  const shown = () => list.result.current.shown;
  list.rerender({ fresh: waiting, filter: "done", former: true });
  list.rerender({ fresh: rows("x", "y"), filter: "done", former: false });
  expect([shown(), list.result.current.waiting, list.result.current.gone.size]).toEqual([["x", "y"], [], 0]);
});

test("within one filter nothing moves, and what came in is shown when asked for", () => {
  const list = renderHook(({ fresh }) => useSteadyRows(fresh, same, "all", false), { initialProps: { fresh: rows("a", "b") } });
  list.rerender({ fresh: rows("new", "a", "b") });
  expect(list.result.current.shown).toEqual(["a", "b"]);
  act(() => list.result.current.renew());
  expect(list.result.current.shown).toEqual(["new", "a", "b"]);
});
