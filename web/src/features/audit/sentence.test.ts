import { describe, expect, test } from "vitest";
import { actorName } from "./actor";
import { pieces, sentence, SENTENCES, tone } from "./sentence";

const ID = "01a1e18f-f64c-708a-b7fa-eddf68f6e23e";
const event = (event_type: string, data: Record<string, unknown> = {}) => ({
  event_type,
  data,
  actor: "user:ana",
  object_id: ID,
});

describe("what an event says", () => {
  test("ana granted approver to ben", () => {
    expect(sentence(event("user.role_granted", { name: "ben", role: "approver" }))).toEqual({
      name: "user_role_granted",
      values: { actor: "ana", name: "ben", role: "approver" },
    });
  });

  test("a program is added with other words than a person", () => {
    expect(sentence(event("user.created", { name: "erp", kind: "service" })).name).toBe("user_service_created");
    expect(sentence(event("user.created", { name: "ben", kind: "user" })).name).toBe("user_created");
  });

  test("an event that names its user only by id gets the name when it is known", () => {
    const changed = event("user.updated", { email: null });
    expect(sentence(changed, new Map([[ID, "ben"]])).values.name).toBe("ben");
    expect(sentence(changed).values.name).toBe("…68f6e23e");
  });

  test("an unknown event, or one that lacks a fact, is told by its type", () => {
    const told = { name: "other", values: { actor: "ana", type: "session.opened" } };
    expect(sentence(event("session.opened"))).toEqual(told);
    expect(sentence(event("user.role_granted", { name: "ben" })).name).toBe("other");
    expect(sentence(event("token.created", { name: "x", user: 7 })).name).toBe("other");
  });

  test("every sentence can be reached", () => {
    const facts = { name: "n", role: "r", user: "u", reason: "r", type: "t", error: "e", attempt: 2, title: "t", by: "b", decision: "d", version: 3, entity_type: "e", from: "f", to: "t", action: "a" };
    const types = [
      ...["role.defined", "role.deleted", "tenant.created", "tenant.updated", "token.created", "token.revoked"],
      ...["user.created", "user.deactivated", "user.reactivated", "user.role_granted", "user.role_revoked"],
      ...["run.cancelled", "run.created", "run.deleted", "run.failed", "run.lease_expired", "run.leased"],
      ...["run.released", "run.retried", "run.slept", "run.snoozed", "run.started", "run.succeeded"],
      ...["schedule.changed", "schedule.created", "schedule.deleted", "schedule.failed", "schedule.fired"],
      ...["schedule.fired_by_hand", "schedule.missed", "schedule.paused", "schedule.resumed", "schedule.skipped"],
      ...["approval.decided", "approval.escalated", "approval.reminded", "approval.requested", "approval.voided", "task.requested"],
      ...["contract.registered", "definition.drafted", "definition.published"],
      ...["document.amended", "document.created", "document.transitioned", "document.updated"],
      ...["instance.advanced", "instance.completed", "instance.rebuilt", "instance.started"],
      ...["action.called", "user.updated", "something.else"],
    ];
    const reached = new Set(types.map((type) => sentence(event(type, facts)).name));
    reached.add(sentence(event("user.created", { ...facts, kind: "service" })).name);
    reached.add(sentence(event("run.retried", { retry_of: ID })).name);
    expect([...reached].sort()).toEqual([...SENTENCES].sort());
  });
});

test("an actor is its kind and its name", () => {
  expect(actorName("service:erp:eu")).toEqual({ kind: "service", name: "erp:eu" });
  expect(actorName("ana")).toEqual({ kind: "user", name: "ana" });
});

test("what gives is good, what takes is bad, the rest is neither", () => {
  expect(["user.role_granted", "token.created"].map(tone)).toEqual(["good", "good"]);
  expect(["user.role_revoked", "token.revoked", "run.failed"].map(tone)).toEqual(["bad", "bad", "bad"]);
  expect(tone("user.updated")).toBe("plain");
});

test("a name that looks like a mark, a hole or a pattern is shown as it is", () => {
  const template = "<b>{{actor}}</b> created <b>{{name}}</b>, {{name}}";
  const name = "</b><i>$& {{actor}} <b>";
  expect(pieces(template, { actor: "ana", name })).toEqual([
    { text: "ana", strong: true },
    { text: " created ", strong: false },
    { text: name, strong: true },
    { text: `, ${name}`, strong: false },
  ]);
});
