/**
 * How a step can end, by its type and what it is configured with: what an edge may wait for, and for what there must be one.
 * The compiler has the last word; this is what an editor needs while one draws.
 */
import type { JsonObject } from "../../json/json";
import type { Patch, PatchNode } from "./patch";

const TIMED = new Set(["approval", "task", "wait_event", "run", "session"]);

const STANDARD: Readonly<Record<string, readonly string[]>> = {
  approval: ["approved", "rejected"],
  notification: ["completed"],
  rule: ["matched", "not_matched"],
  script: ["completed"],
  parallel_split: ["completed"],
  parallel_join: ["completed"],
  for_each: ["completed"],
  wait_timer: ["completed"],
  wait_event: ["completed"],
  policy_gate: ["completed", "denied"],
  action: ["completed"],
  webhook_out: ["completed"],
  run: ["completed"],
  session: ["completed"],
};
/** Those that never end with `error`: they only choose. */
const SURE = new Set(["condition", "parallel_split", "parallel_join"]);
/** A refused document must not slip through an edge that names no outcome. */
const REFUSALS = new Set(["rejected", "denied", "timeout", "error"]);

/** Every way in which a step can end. `known` is what the server says of types that an installation brought itself. */
export function outcomesOf({ type, config }: Pick<PatchNode, "type" | "config">, known?: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...expected(type, config, known), ...(TIMED.has(type) && given(config, "timeout") ? ["timeout"] : []), ...(SURE.has(type) ? [] : ["error"])];
}

function expected(type: string, config: JsonObject, known?: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (type === "condition") return "expression" in config && config.expression !== null ? ["true", "false"] : ["completed"];
  if (type === "task") {
    const answers = Array.isArray(config.answers) ? config.answers.filter((each) => typeof each === "string") : [];
    return answers.length > 0 ? answers : ["completed"];
  }
  return STANDARD[type] ?? known?.get(type)?.filter((each) => each !== "error" && each !== "timeout") ?? ["completed"];
}

/** Those for which an edge must leave the step. */
export function mustHandle(node: Pick<PatchNode, "type" | "config">, known?: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return outcomesOf(node, known).filter((each) => each !== "error");
}

/** Those for which no edge leaves it yet. */
export function unhandled(patch: Patch, node: PatchNode, known?: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const leaving = patch.edges.filter(({ source }) => source === node.id);
  const otherwise = leaving.some(({ outcome, condition }) => outcome === undefined && condition === undefined);
  return mustHandle(node, known).filter((each) => !leaving.some(({ outcome }) => outcome === each) && !(otherwise && !REFUSALS.has(each)));
}

function given(config: JsonObject, name: string): boolean {
  return config[name] !== undefined && config[name] !== null && config[name] !== "";
}
