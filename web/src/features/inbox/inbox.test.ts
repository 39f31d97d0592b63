import { describe, expect, test } from "vitest";
import type { DecidedItem, InboxItem, Reason, RequestDetail } from "../../api/types";
import { became, decidable, planned } from "./bulk";
import { asked, filterOf, fromKept, inboxView, kept } from "./filter";
import { lastDecided, progressOf } from "./progress";
import { capacityOf, readPath, traceOf, tracesTo } from "./why";

const reason = (seq: number, node: string, target: string, because = "it is the way onward"): Reason => ({ seq, token: "main", node, outcome: "completed", edge: null, target, because });

describe("why it came to somebody", () => {
  const reasons = [
    reason(1, "start", "large"),
    reason(2, "large", "small", "entity.total > 10000 is false because 9900 <= 10000"),
    reason(3, "small", "start"),
    reason(4, "start", "large"),
    reason(5, "large", "both", "entity.total > 10000 is true because 12500.10 > 10000"),
    reason(6, "both", "finance", "a split takes every branch"),
    reason(6, "both", "cfo", "a split takes every branch"),
  ];

  test("is the last way there, not one taken before", () => {
    const [trace, ...rest] = tracesTo(reasons, "finance");
    expect(rest).toEqual([]);
    expect(trace).toMatchObject({ expression: "entity.total > 10000", result: true, compared: { left: "12500.10", how: ">", right: "10000" } });
  });

  test("says nothing of what was no condition", () => {
    expect(traceOf({ node: "both", because: "a split takes every branch" })).toBeNull();
    expect(traceOf({ node: "x", because: 'entity.country in ["DE"] is true because the list has it' })).toMatchObject({ compared: null });
  });

  test("knows which field a side reads", () => {
    expect(readPath("entity.total > 10000", "left")).toEqual(["total"]);
    expect(readPath("entity.total > 10000", "right")).toBeNull();
    expect(readPath("10 <= entity.a.b", "right")).toEqual(["a", "b"]);
  });

  test("names the role, or whose place it is", () => {
    expect(capacityOf({ how: "role", seat: "ben" }, ["role:finance"], ["approver", "finance"])).toEqual({ how: "role", role: "finance" });
    expect(capacityOf({ how: "role", seat: "ben" }, ["anyone"], ["approver"])).toEqual({ how: "anyone" });
    expect(capacityOf({ how: "delegated", seat: "dana" }, [], [])).toEqual({ how: "delegated", whom: "dana" });
    expect(capacityOf({ how: "mine", seat: "ben" }, ["user:ben"], [])).toEqual({ how: "mine" });
    expect(capacityOf({ how: "mine", seat: "user:mira" }, ["role:finance"], ["approver", "finance"])).toEqual({ how: "role", role: "finance" });
    const handed = [{ code: "asked_after", params: { from: "user:eva", principal: "user:ben" } }];
    expect(capacityOf({ how: "mine", seat: "ben" }, ["user:ben"], [], handed)).toEqual({ how: "after", from: "eva" });
    const escalated = [{ code: "asked_by_escalation", params: { principal: "user:ben" } }];
    expect(capacityOf({ how: "mine", seat: "ben" }, ["user:ben"], [], escalated)).toEqual({ how: "escalation" });
  });
});

const detail = (over: object, decisions: object[] = [], assignees: object[] = [{ principal: "role:finance", is_open: true, removed_at: null }]) =>
  ({
    request: { id: "r", status: "open", required: "2", entity_version: 1, four_eyes: true, requester: "chloe", claimed_by: null, content_hash: "h", ...over },
    decisions: decisions.map((each) => ({ decision: "approved", voided_at: null, seat: "x", reason: null, entity_version: 1, content_hash: "h", decided_at: "2026-06-01T10:00:00Z", ...each })),
    assignees,
  }) as unknown as RequestDetail;

test("progress counts votes in favour that still stand, and says who is waited for", () => {
  expect(progressOf(detail({}, [{ decided_by: "ben", seat: "ben" }]))).toMatchObject({ given: 1, needed: 2, waiting: ["role:finance"] });
  expect(progressOf(detail({}, [{ decided_by: "ben", voided_at: "2026-06-02T10:00:00Z" }]))).toMatchObject({ given: 0 });
  expect(progressOf(detail({ required: "any" }))).toMatchObject({ needed: 1 });
  expect(progressOf(detail({ required: "all" }))).toMatchObject({ needed: null });
  const people = ["ben", "mira"].map((name) => ({ principal: `user:${name}`, is_open: true, removed_at: null }));
  expect(progressOf(detail({ required: "all" }, [{ decided_by: "ben", seat: "ben" }], people))).toMatchObject({ needed: 2, waiting: ["user:mira"] });
});

test("the version somebody last decided on is found among all requests", () => {
  const all = [detail({}, [{ decided_by: "ben", entity_version: 2, decided_at: "2026-06-03T10:00:00Z" }]), detail({}, [{ decided_by: "ben", entity_version: 1 }, { decided_by: "mira", entity_version: 4 }])];
  expect(lastDecided(all, "ben")).toBe(2);
  expect(lastDecided(all, "dana")).toBeUndefined();
});

test("many at once: what can be, and why the others cannot, as the server answers", () => {
  const item = (id: string, over: object = {}) => ({ id, kind: "approval", entity_version: 1, requester: "user:chloe", claimed_by: null, ...over }) as InboxItem;
  const refused = (code: string) => ({ decided: null, refused: { code, message: `because of ${code}`, hint: null } }) as unknown as DecidedItem;
  const answers = new Map([
    ["fine", { decided: {}, refused: null } as unknown as DecidedItem],
    ["voided", refused("WORKFLOW_STALE_APPROVAL")],
    ["own", refused("forbidden")],
    ["seat", refused("forbidden")],
    ["decided", refused("conflict")],
    ["taken", refused("conflict")],
    ["strange", refused("invalid_input")],
  ]);
  const items = [item("fine"), item("voided"), item("own", { requester: "user:ben" }), item("seat"), item("decided"), item("taken", { claimed_by: "mira" }), item("strange"), item("form", { kind: "task" })];
  const plan = planned(items, answers, "ben");
  expect(Object.fromEntries(plan.map(({ item: { id }, refusal }) => [id, refusal]))).toEqual({
    fine: null, voided: "changed", own: "own", seat: "refused", decided: "closed", taken: "claimed", strange: "refused", form: "task",
  });
  expect(plan.map(({ said }) => said)).toContain("because of conflict");
  expect(decidable(items).map(({ id }) => id)).not.toContain("form");

  // Changed between the preview and the press.
  const later = new Map(answers).set("fine", refused("WORKFLOW_STALE_APPROVAL"));
  expect(became(plan, later, "ben").find(({ item: { id } }) => id === "fine")).toMatchObject({ refusal: "changed", said: "because of WORKFLOW_STALE_APPROVAL" });
  expect(became(plan, answers, "ben")).toEqual(plan);
});

test("the address keeps the tab and the open row, and nothing else", () => {
  const item = "01a1ed85-1d26-795c-a8b5-893d05e9fd6f";
  expect(inboxView({ tab: "role", item, type: "invoice", else: 1 })).toEqual({ tab: "role", item, type: "invoice" });
  expect(inboxView({ tab: "all", item: "nonsense" })).toEqual({});
});

describe("what the inbox is narrowed to", () => {
  const view = inboxView({ tab: "role", type: "invoice", kind: "task", requester: "chloe", due_before: "2026-07-01", item: "nonsense", other: 1 });

  test("leaves out of the address what is none of it", () => {
    expect(view).toEqual({ tab: "role", type: "invoice", kind: "task", requester: "chloe", due_before: "2026-07-01" });
    expect(inboxView({ tab: "all", kind: "letter", due_before: "tomorrow" })).toEqual({});
    expect(filterOf(view)).not.toHaveProperty("tab");
  });

  test("is asked of the server by its names, a day as the instant it begins here", () => {
    expect(asked(view)).toEqual({ entity_type: "invoice", kind: "task", requester: "chloe", due_before: new Date("2026-07-01T00:00:00").toISOString() });
    expect(asked({})).toEqual({});
  });

  test("comes back from a kept view as it was", () => {
    expect(fromKept(kept(view))).toEqual(view);
    expect(fromKept({ which: "done", unknown: "x" })).toEqual({ tab: "done" });
  });
});
