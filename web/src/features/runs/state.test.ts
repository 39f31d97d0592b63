import { describe, expect, test } from "vitest";
import { runFilter } from "./filter";
import { countByStatus, duration, errorOf, scheduleOf, typesOf, waitingFor } from "./state";

const NOW = new Date("2026-06-10T12:00:00Z");
const run = (facts: object) => ({
  status: "pending" as const,
  run_at: "2026-06-10T11:00:00Z",
  attempt: 0,
  finished_at: null,
  ...facts,
});

test("an address narrows the list only by what is valid", () => {
  expect(runFilter({ status: "failed", prefix: " billing. " })).toEqual({ status: "failed", prefix: "billing." });
  expect(runFilter({ status: "lost", prefix: "", other: 1 })).toEqual({});
});

describe("a pending run waits", () => {
  test("for a worker when its time has come", () => expect(waitingFor(run({}), NOW)).toBe("worker"));
  test("for its time", () => expect(waitingFor(run({ run_at: "2026-06-10T13:00:00Z" }), NOW)).toBe("later"));
  test("for another attempt", () =>
    expect(waitingFor(run({ run_at: "2026-06-10T13:00:00Z", attempt: 2 }), NOW)).toBe("retry"));
  test("or not at all, when it is not pending", () => expect(waitingFor(run({ status: "leased" }), NOW)).toBeNull());
});

test("figures are added up over types, and what is unknown is left out", () => {
  const stats = [
    { type: "b", status: "pending", runs: 2, oldest: null },
    { type: "a", status: "pending", runs: 3, oldest: null },
    { type: "a", status: "failed", runs: 1, oldest: null },
    { type: "a", status: "strange", runs: 9, oldest: null },
  ];
  expect(countByStatus(stats)).toEqual({ pending: 5, leased: 0, succeeded: 0, failed: 1, cancelled: 0 });
  expect(typesOf(stats)).toEqual(["a", "b"]);
});

describe("an error", () => {
  test("of a handler has a type, a message and where it happened", () => {
    const error = { type: "ValueError", message: "no amount", traceback: "line 3" };
    expect(errorOf({ error, last_error: "x", status: "failed" })).toMatchObject({ title: "ValueError", message: "no amount" });
  });
  test("of the queue has a code only", () => {
    expect(errorOf({ error: { code: "lease_expired" }, last_error: null, status: "failed" })?.title).toBe("lease_expired");
    expect(errorOf({ error: null, last_error: "lease_expired", status: "pending" })?.title).toBe("lease_expired");
  });
  test("is not what a cancelled run was cancelled for", () => {
    expect(errorOf({ error: null, last_error: "wrong customer", status: "cancelled" })).toBeNull();
  });
});

test("a run knows its schedule by its key", () => {
  const id = "01a1e18f-f64c-708a-b7fa-eddf68f6e23e";
  expect(scheduleOf(`schedule:${id}:2026-06-10T12:00:00Z`)).toBe(id);
  expect(scheduleOf("invoice-42")).toBeNull();
  expect(scheduleOf(null)).toBeNull();
});

test("durations take the units that say most", () => {
  const after = (seconds: number) => duration(NOW.toISOString(), new Date(NOW.getTime() + seconds * 1000).toISOString());
  expect([0.44, 12, 185, 7500].map(after)).toEqual([(0.4).toLocaleString() + " s", "12 s", "3 min 5 s", "2 h 5 min"]);
  expect(after(-5)).toBe("0 s");
});
