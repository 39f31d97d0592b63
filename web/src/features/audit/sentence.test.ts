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
    const facts = { ...Object.fromEntries(["action", "by", "case", "chain", "decision", "delegate", "delegator", "entity_type", "error", "from", "key"].map((name) => [name, "x"])), ...Object.fromEntries(["message", "name", "namespace", "reason", "relation", "role", "title", "to", "type", "user"].map((name) => [name, "x"])), attempt: 2, version: 3 };
    const types = SENTENCES.map((name) => name.replace(/^(sign_in|test_case|[a-z]+)_/, "$1."));
    const reached = new Set(types.map((type) => sentence(event(type, facts)).name));
    reached.add(sentence(event("user.created", { ...facts, kind: "service" })).name);
    reached.add(sentence(event("run.retried", { retry_of: ID })).name);
    reached.add(sentence(event("something.else")).name);
    expect([...reached].sort()).toEqual([...SENTENCES].sort());
  });

  test("a task is told as the request that it is", () => {
    expect(sentence(event("task.reassigned", { to: "mira" }))).toEqual({ name: "approval_reassigned", values: { actor: "ana", to: "mira" } });
    expect(sentence(event("task.decided", { by: "mira" })).name).toBe("task_decided");
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
