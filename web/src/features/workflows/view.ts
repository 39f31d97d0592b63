/** What of a draft one looks at, as the address says it: a slot or the whole, how deep inside, and what is selected. */
export interface BuilderView {
  slot?: string;
  /** The `for_each` steps one went into. */
  inside?: readonly string[];
  step?: string;
  edge?: string;
  /** What one does with it: build it unless it says otherwise. */
  mode?: Mode;
  /** The replay of past documents that is looked at, and the group of it. */
  run?: string;
  group?: string;
  /** What changes are compared with, if not with what is in force. */
  against?: string;
}

export const MODES = ["build", "simulate", "what_if", "changes"] as const;
export type Mode = (typeof MODES)[number];

export const WHOLE = "whole";

export function builderView(search: Record<string, unknown>): BuilderView {
  const text = (name: string) => (typeof search[name] === "string" && search[name] !== "" ? { [name]: search[name] } : {});
  const inside = Array.isArray(search.inside) ? search.inside.filter((each): each is string => typeof each === "string") : [];
  const mode = MODES.find((each) => each === search.mode);
  return { ...text("slot"), ...(inside.length > 0 && { inside }), ...text("step"), ...text("edge"), ...(mode && mode !== "build" && { mode }), ...text("run"), ...text("group"), ...text("against") };
}

/** What of all workflows one looks at, and which template, if any. */
export interface WorkflowsView {
  state?: WorkflowState;
  template?: string;
}

export const WORKFLOW_STATES = ["draft", "published", "superseded", "upgradable", "stale"] as const;
export type WorkflowState = (typeof WORKFLOW_STATES)[number];

export function workflowsView(search: Readonly<Record<string, unknown>>): WorkflowsView {
  const state = WORKFLOW_STATES.find((each) => each === search.state);
  const template = typeof search.template === "string" && search.template.length <= 100 ? search.template : undefined;
  return { ...(state && { state }), ...(template !== undefined && { template }) };
}
