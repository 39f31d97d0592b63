/**
 * A contract as the pages of documents need it: what a document is called, the way it goes, and what somebody may do with it in
 * a state, and if not, why not. The server has the last word; this says beforehand what it will be.
 */
import type { ContractInfo } from "../../api/types";
import { type Schema, spoken } from "../../forms/schema";
import { isObject, type Json } from "../../json/json";

export type EditWindow = "editable" | "amend_only" | "locked";

export interface State {
  name: string;
  title: string;
  window: EditWindow;
  initial: boolean;
}

export interface Transition {
  name: string;
  from: readonly string[];
  to: string;
  kind: "forward" | "return" | "cancel" | "amend";
  roles: readonly string[];
  automatic: boolean;
}

export interface Contract {
  type: string;
  title: string;
  schema: Schema;
  states: readonly State[];
  transitions: readonly Transition[];
}

const WINDOWS: readonly EditWindow[] = ["editable", "amend_only", "locked"];
const KINDS = ["forward", "return", "cancel", "amend"] as const;

export function contractOf(info: Pick<ContractInfo, "entity_type" | "contract">): Contract {
  const given = info.contract as Record<string, Json>;
  const transitions = records(given.transitions).map((each) => transitionOf(each));
  return {
    type: info.entity_type,
    title: text(given.title) ?? spoken(info.entity_type),
    schema: isObject(given.document) ? given.document : {},
    states: records(given.states).map((each) => stateOf(each, transitions)),
    transitions,
  };
}

function transitionOf(given: Record<string, Json>): Transition {
  const from = given.from;
  return {
    name: text(given.name) ?? "",
    from: texts(Array.isArray(from) ? from : [from ?? null]),
    to: text(given.to) ?? "",
    kind: KINDS.find((kind) => kind === given.kind) ?? "forward",
    roles: texts(given.roles),
    automatic: given.trigger === "automatic",
  };
}

function stateOf(given: Record<string, Json>, transitions: readonly Transition[]): State {
  const name = text(given.name) ?? "";
  return {
    name,
    title: text(given.title) ?? spoken(name),
    window: WINDOWS.find((window) => window === given.edit_window) ?? "locked",
    initial: given.initial === true || transitions.every(({ to, kind }) => to !== name || kind === "return"),
  };
}

export function stateTitle(contract: Contract | undefined, status: string): string {
  return contract?.states.find(({ name }) => name === status)?.title ?? spoken(status);
}

export interface Stage {
  state: State;
  at: "done" | "here" | "ahead";
}

/** The way a document goes when all is well, and where on it this one is. One that left the way shows where it ended. */
export function stagesOf(contract: Contract, status: string): Stage[] {
  const way: State[] = [];
  const named = (name: string) => contract.states.find((state) => state.name === name);
  let next = contract.states.find((state) => state.initial);
  while (next && !way.includes(next)) {
    way.push(next);
    const { name } = next;
    const onward = contract.transitions.find((each) => each.kind === "forward" && each.from.includes(name));
    next = onward && named(onward.to);
  }
  const here = way.findIndex(({ name }) => name === status);
  if (here >= 0) return way.map((state, at) => ({ state, at: at < here ? "done" : at === here ? "here" : "ahead" }));
  const aside = named(status);
  if (!aside) return way.map((state) => ({ state, at: "ahead" }));
  // Where it can go on from (an amended one is submitted anew) it stands before; where nothing follows, it ended there.
  const onward = contract.transitions.find((each) => each.kind === "forward" && each.from.includes(status));
  const joins = onward ? way.findIndex(({ name }) => name === onward.to) : -1;
  if (joins < 0) return [{ state: way[0] ?? aside, at: "done" }, { state: aside, at: "here" }];
  return [{ state: aside, at: "here" }, ...way.slice(joins).map((state): Stage => ({ state, at: "ahead" }))];
}

/** Why somebody cannot do something: a code and what to put into its words. */
export interface Refusal {
  code: "permission" | "state" | "role" | "automatic" | "deleted";
  detail: string;
}

export interface Move {
  transition: Transition;
  refusal: Refusal | null;
}

export interface Mover {
  may: (permission: string) => boolean;
  roles: readonly string[];
}

/** Everything that could be done with a document, with why not where it cannot. Amending is done by editing. */
export function movesOf(contract: Contract, status: string, who: Mover): Move[] {
  return contract.transitions
    .filter(({ kind }) => kind !== "amend")
    .map((transition) => ({ transition, refusal: refusalOf(contract, transition, status, who) }));
}

function refusalOf(contract: Contract, transition: Transition, status: string, { may, roles }: Mover): Refusal | null {
  if (!transition.from.includes(status)) {
    return { code: "state", detail: transition.from.map((each) => stateTitle(contract, each)).join(", ") };
  }
  // A way back is taken by the gate that refuses, not by a person, where the way onward is.
  const gate = contract.transitions.find((each) => each.kind === "forward" && each.from.some((from) => transition.from.includes(from)));
  if (transition.automatic || (transition.kind === "return" && gate?.automatic)) return { code: "automatic", detail: "" };
  if (!may("documents:write")) return { code: "permission", detail: "documents:write" };
  const allowed = transition.roles.length === 0 || transition.roles.some((role) => roles.includes(role));
  return allowed ? null : { code: "role", detail: transition.roles.join(", ") };
}

function records(value: Json | undefined): Record<string, Json>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
