import { expect, test } from "vitest";
import { numberOf } from "../../json/exact";
import { bulkFilter, deliveriesView, onlyDead, signatures } from "../deliveries/view";
import { progressOf, verdictOf } from "../operations/view";
import { asked, bulkRuns, runFilter } from "../runs/filter";
import { healthView, seconds, stateOf, summed, unhandled } from "./view";

test("an address names a queue and a span only where they exist", () => {
  expect(healthView({ queue: "outbox", span: "24h" })).toEqual({ queue: "outbox", span: "24h" });
  expect(healthView({ queue: "post", span: "2h" })).toEqual({});
  expect(deliveriesView({ queue: "effects", status: "dead" })).toEqual({ queue: "effects" });
});

test("a queue with something dead or stuck needs a look, and so does one that nobody takes up", () => {
  const well = { stuck: 0, dead: 0, pending: 0, oldest_seconds: null };
  const busy = { ...well, pending: 2, oldest_seconds: numberOf("1.5") };
  expect([{ ...well, dead: 1 }, { ...well, stuck: 1 }, busy, { ...busy, oldest_seconds: numberOf("300.5") }, well].map(stateOf)).toEqual(["bad", "bad", "busy", "late", "good"]);
});

test("seconds are said in the unit that says most", () => {
  expect([numberOf("0.04"), 75, 90_000, null].map((each) => seconds(each))).toEqual(["40 ms", "1 min 15 s", "1 d 1 h", "–"]);
});

test("a chart's figure is what its points add up to, and only types that wait are told of", () => {
  expect(summed([{ finished: 3, errors: 1 }, { finished: 4, errors: 0 }])).toEqual({ finished: 7, errors: 1 });
  const type = { handled: false, ready: 0, delayed: 1, blocked: 0 };
  expect(unhandled([type, { ...type, delayed: 0 }, { ...type, handled: true }])).toEqual([type]);
});

test("completed is not succeeded", () => {
  const operation = { status: "completed", total: 500, succeeded: 499, skipped: 0, failed: 1 };
  expect(verdictOf(operation)).toBe("partly");
  expect(verdictOf({ ...operation, succeeded: 500, failed: 0 })).toBe("all_well");
  expect(progressOf({ ...operation, status: "running", succeeded: 249 })).toBe(50);
});

test("all that match means what the list shows", () => {
  expect(onlyDead({ queue: "outbox", status: "dead" })).toBe(true);
  expect(onlyDead({ queue: "outbox", status: "dead", aggregate: "a/1" })).toBe(false);
  expect(bulkFilter({ queue: "engine", type: "timer" })).toEqual({ type: "timer" });
  const filter = runFilter({ prefix: "a.", payload: '{"n": 1}', since: "never" });
  expect(bulkRuns("runs.retry", filter)).toEqual({ status: "failed", prefix: "a.", payload: { n: 1 } });
  expect(asked({ payload: "{" })).toEqual({});
});

test("the headers that sign are found in the evidence", () => {
  expect(signatures({ status: 200, request: { "webhook-signature": "v1,abc" } })).toEqual([["webhook-signature", "v1,abc"]]);
});
