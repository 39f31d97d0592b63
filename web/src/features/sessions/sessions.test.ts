import { describe, expect, test } from "vitest";
import type { SessionMessage } from "../../api/sessions";
import { type JsonObject, parse } from "../../json/json";
import { graphOf, standing } from "./drawing";
import { changedIn } from "./EditState";
import { joined, ownWords, spokenOf } from "./messages";
import { sessionFilter, sessionView } from "./filter";
import { answerOf, besides, questionOf } from "./promptShape";

const message = (sequence_number: number, words = "x") => ({ sequence_number, content: { message: words } }) as unknown as SessionMessage;

test("an address narrows the list only by what is valid", () => {
  expect(sessionFilter({ status: "failed", workflow: " refund " })).toEqual({ status: "failed", workflow: "refund" });
  expect(sessionFilter({ status: "lost", workflow: 3 })).toEqual({});
  expect(sessionView({ tab: "history", checkpoint: "1f0" })).toEqual({ tab: "history", checkpoint: "1f0" });
  expect(sessionView({ tab: "other" })).toEqual({});
  expect(sessionView({ tab: "graph" })).toEqual({ tab: "graph" });
});

test("a message that came twice is there once, in its place", () => {
  expect(joined([message(1), message(3)], [message(2), message(3)]).map((each) => each.sequence_number)).toEqual([1, 2, 3]);
});

describe("a question", () => {
  test("with a schema is a form", () => expect(questionOf({ prompt: "?", options: ["a"] }, { type: "object" }).kind).toBe("schema"));
  test("with options is a choice", () => expect(questionOf({ prompt: "?", options: ["a"] }, null)).toEqual({ kind: "options", options: ["a"] }));
  test("with words only is answered with words", () => expect(questionOf({ prompt: "?" }, null).kind).toBe("text"));
  test("of an unknown shape is answered as JSON", () => expect(questionOf({ prompt: "?", matrix: [[1]] }, null).kind).toBe("json"));
  test("of yes or no is one press", () => expect(questionOf({ prompt: "?" }, { type: "boolean" }).kind).toBe("yes_no"));
  test("about a tool call is a decision, of the kinds that are allowed", () => {
    const content = { action_request: { action: "pay", args: { amount: 3 } }, config: { allow_accept: true, allow_edit: false, allow_ignore: true } };
    const call = { action: "pay", args: { amount: 3 }, allowed: ["accept", "ignore"] };
    expect(questionOf(content, null)).toMatchObject({ kind: "decisions", dialect: "inbox", calls: [call] });
    // As agents give it: in a list, which is the value of the prompt.
    expect(questionOf({ prompt: "?", value: [content, content] }, null)).toMatchObject({ kind: "decisions", dialect: "inbox", calls: [call, call] });
    expect(questionOf({ prompt: "?", value: [content, 3] }, null).kind).toBe("json");
  });
  test("of LangChain's middleware is decided call by call, as its review allows", () => {
    const content: JsonObject = {
      action_requests: [{ name: "pay", args: { amount: 3 }, description: "Pay Fjord" }, { name: "mail", args: {} }],
      review_configs: [{ action_name: "pay", allowed_decisions: ["approve", "reject", "respond"], args_schema: { type: "object" } }],
    };
    expect(questionOf({ prompt: "?", ...content }, null)).toMatchObject({
      kind: "decisions",
      dialect: "middleware",
      calls: [
        { action: "pay", description: "Pay Fjord", allowed: ["accept", "reject", "response"], schema: { type: "object" } },
        { action: "mail", description: null, allowed: ["accept", "edit", "reject"], schema: null },
      ],
    });
  });
});

test("a decision is sent in the shape that the graph resumes with", () => {
  const call = { action: "pay", args: { amount: 3 }, description: null, allowed: [], schema: null };
  const inbox = (decided: Parameters<typeof answerOf>[2][0]) => answerOf("inbox", [call], [decided]);
  expect(inbox({ decision: "accept" })).toEqual([{ type: "accept", args: null }]);
  expect(inbox({ decision: "edit", given: { amount: 4 } })).toEqual([{ type: "edit", args: { action: "pay", args: { amount: 4 } } }]);
  expect(inbox({ decision: "response", given: "no" })).toEqual([{ type: "response", args: "no" }]);
  const decided = [{ decision: "accept" }, { decision: "edit", given: { amount: 4 } }, { decision: "reject", given: "too much" }, { decision: "reject", given: null }, { decision: "response", given: "ask Ana" }] as const;
  expect(answerOf("middleware", decided.map(() => call), decided)).toEqual({
    decisions: [{ type: "approve" }, { type: "edit", edited_action: { name: "pay", args: { amount: 4 } } }, { type: "reject", message: "too much" }, { type: "reject" }, { type: "respond", message: "ask Ana" }],
  });
});

test("what a prompt shows besides its words leaves out what is drawn anyway", () => {
  expect(besides({ prompt: "?", options: [], prompt_id: "1", checks: ["a"] })).toEqual({ checks: ["a"] });
});

test("what tools say is told apart from what the agent says, and progress has its share", () => {
  expect(spokenOf({ message_type: "agent", content: { message: "42", metadata: { role: "tool" } } }).kind).toBe("tool");
  expect(spokenOf({ message_type: "user", content: { response: "yes", metadata: { by: "user:ana" } } })).toMatchObject({ kind: "person", by: "user:ana" });
  expect(spokenOf({ message_type: "workflow_progress", content: { step: "check", progress: 1, message: "check" } })).toMatchObject({ text: "check", share: 1 });
});

test("what holdfast says itself is known, and what a graph says like it is the graph's own", () => {
  expect(ownWords({ message_type: "system", content: { message: "Session started" } })).toEqual({ told: "started", step: "" });
  expect(ownWords({ message_type: "workflow_progress", content: { step: "check", message: "step finished", checkpoint: "1f0" } })).toEqual({ told: "step", step: "check" });
  expect(ownWords({ message_type: "workflow_progress", content: { step: "check", message: "step finished" } })).toBeNull();
  expect(ownWords({ message_type: "agent", content: { message: "Session started" } })).toBeNull();
});

describe("the graph of a session", () => {
  const edge = (source: string, target: string, conditional = false) => ({ source, target, conditional });
  const loop = { nodes: ["__start__", "ask", "send", "__end__"], edges: [edge("__start__", "ask"), edge("ask", "send", true), edge("ask", "__end__", true), edge("send", "ask")] };
  const drawn = graphOf(loop, { start: "Start", end: "End" });

  test("begins at its start, and a way back is told from a way on", () => {
    expect(drawn.start).toBe("__start__");
    expect(drawn.nodes.map(({ name }) => name).sort()).toEqual(["End", "Start", "ask", "send"]);
    expect(drawn.edges.filter(({ kind }) => kind === "returns").map(({ source, target }) => [source, target])).toEqual([["send", "ask"]]);
  });

  test("shows where it stands, and nothing of that when it is over", () => {
    expect([...standing(["send"], ["ask"], null).marks]).toEqual([["ask", "done"], ["send", "here"]]);
    expect(standing(["send"], ["ask"], null).tokens.get("send")).toBe(1);
    expect(standing([], ["ask"], "completed")).toMatchObject({ tokens: new Map(), marks: new Map([["ask", "done"], ["__end__", "done"]]) });
  });
});

test("of a state that was edited only what was changed is written", () => {
  expect(changedIn('{"n": 1.10, "log": ["a", "b"], "new": true}', parse('{"n": 1.10, "log": ["a"]}') as object as Record<string, unknown>)).toEqual({ log: ["a", "b"], new: true });
  expect(changedIn("[1]", {})).toBeNull();
  expect(changedIn("{", {})).toBeNull();
});
