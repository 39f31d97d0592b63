import { expect, test } from "vitest";
import type { Definition } from "../../api/types";
import { WORKFLOW_STATES, workflowsView } from "./view";
import { byType, stands } from "./workflows";

const row = (id: string, over: Partial<Definition>) => ({ id, entity_type: "invoice", definition_kind: "effective", status: "published", version: 1, automation: false, source_definition_id: "s", ...over }) as Definition;

test("a workflow is found by each state that something of it is in, and by no other", () => {
  const all = [
    row("now", { version: 3 }),
    row("before", { version: 2, status: "archived" }),
    row("bare", { version: 1, status: "archived", source_definition_id: null }),
    row("draft", { definition_kind: "org_patch", status: "draft", source_definition_id: null }),
  ];
  const [invoice, expense] = byType(all, ["invoice", "expense"]).reverse();
  if (!invoice || !expense) throw new Error("two types were given");
  const in_ = (workflow: typeof invoice, overview?: { stale: boolean; upgradable: boolean }) => WORKFLOW_STATES.filter((state) => stands(workflow, overview, state));
  expect(in_(invoice)).toEqual(["draft", "published", "superseded"]);
  expect(in_(expense)).toEqual([]);
  expect(in_(expense, { stale: true, upgradable: true })).toEqual(["upgradable", "stale"]);
});

test("the address keeps the state and the template, and nothing else", () => {
  expect(workflowsView({ state: "stale", template: "fast_track", other: 1 })).toEqual({ state: "stale", template: "fast_track" });
  expect(workflowsView({ state: "odd", template: "" })).toEqual({ template: "" });
});
