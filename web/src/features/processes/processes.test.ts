import { describe, expect, test } from "vitest";
import type { ProcessStep } from "../../api/types";
import { instanceView, processFilter } from "./filter";
import { momentsOf, overlayAt, restingNodes, stepsAt, traceLines, versionAt } from "./moments";
import { operationsOf } from "./operations";

let seq = 0;
const step = (node: string, opened: string, settled: string | null, output: object = {}): ProcessStep =>
  ({
    ...{ id: `${node}.${opened}`, node_id: node, node_type: "approval", token_id: "main", entity_version: 1, status: settled ? "completed" : "pending" },
    ...{ outcome: settled ? "approved" : null, created_at: opened, completed_at: settled, output, input: {}, error: null, opened_seq: ++seq, settled_seq: settled ? seq : null, settled_by: settled ? "user:ben" : null },
  }) as unknown as ProcessStep;

const [first, second, third] = ["2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z"];
const steps = [
  step("draft", first, second, { chosen_edge_ids: ["draft->gate"] }),
  step("gate", second, second, { chosen_edge_ids: ["gate->finance"] }),
  step("finance", second, third, { chosen_edge_ids: ["finance->active"], expressions: [{ expression: "entity.total > 1", result: true, because: "true because 2 > 1", variables: { "entity.total": "2" } }] }),
  step("active", third, null),
];

describe("a process as it was", () => {
  test("has one moment for each time something happened", () => {
    expect(momentsOf(steps).map(({ at }) => at)).toEqual([first, second, third]);
    expect(momentsOf(steps)[1]?.settled.map(({ node_id }) => node_id)).toEqual(["draft", "gate"]);
    expect(momentsOf(steps)[1]?.opened.map(({ node_id }) => node_id)).toEqual(["finance"]);
  });

  test("shows the tokens and the edges of that moment and none of later ones", () => {
    const then = overlayAt(stepsAt(steps, second));
    expect([...then.tokens.keys()]).toEqual(["finance"]);
    expect([...then.taken]).toEqual(["draft->gate", "gate->finance"]);
    const beginning = overlayAt(stepsAt(steps, first));
    expect([...beginning.tokens.keys()]).toEqual(["draft"]);
    expect([...beginning.taken]).toEqual([]);
    expect([...overlayAt(stepsAt(steps, null)).tokens.keys()]).toEqual(["active"]);
  });

  test("does not know yet what a step was going to answer", () => {
    const finance = stepsAt(steps, second).find(({ node_id }) => node_id === "finance");
    expect(finance).toMatchObject({ status: "pending", outcome: null, output: {}, settled_by: null });
  });

  test("had the version of its document that was there then", () => {
    const versions = [{ version: 1, created_at: first }, { version: 2, created_at: third }];
    expect(versionAt(versions, second)?.version).toBe(1);
    expect(versionAt(versions, null)?.version).toBe(2);
  });
});

test("the expressions of a step are told with what they read", () => {
  expect(steps.slice(2, 3).flatMap(traceLines)).toEqual([{ expression: "entity.total > 1", result: true, because: "true because 2 > 1", variables: [["entity.total", "2"]] }]);
  expect(traceLines({ output: {} })).toEqual([]);
});

test("what an operator may do depends on how the process stands", () => {
  const offered = (status: string, paused: string | null, failed: boolean, ...permissions: string[]) =>
    Object.fromEntries(operationsOf({ status, paused_at: paused }, failed ? [{ status: "failed" }] : [], (each) => permissions.includes(each)).map(({ operation, refusal }) => [operation, refusal]));
  expect(offered("running", null, false, "processes:operate")).toMatchObject({ pause: null, resume: "not_paused", retry: "no_failed_step", rebuild: null, cancel: null });
  expect(offered("running", first, true, "processes:operate")).toMatchObject({ pause: "paused", resume: null, retry: null });
  expect(offered("completed", null, false, "processes:operate")).toMatchObject({ pause: "over", cancel: "over", rebuild: null });
  expect(offered("running", null, false)).toMatchObject({ pause: "permission", rebuild: "permission" });
});

test("addresses keep what is valid", () => {
  expect(processFilter({ status: "running", workflow: "invoice", stuck: true, other: 1 })).toEqual({ status: "running", workflow: "invoice", stuck: true });
  expect(processFilter({ status: "odd", stuck: "yes" })).toEqual({});
  expect(instanceView({ step: "usr:slot:x:y", at: 0 })).toEqual({ step: "usr:slot:x:y", at: 0 });
  expect(instanceView({ at: -1 })).toEqual({});
});

test("a process that split rests at its branches", () => {
  const active_tokens = [{ node: "both", state: "split" }, { node: "finance", state: "waiting" }];
  expect(restingNodes({ current_nodes: ["both", "finance"], active_tokens })).toEqual(["finance"]);
  expect(restingNodes({ current_nodes: ["draft"], active_tokens: [] })).toEqual(["draft"]);
});
