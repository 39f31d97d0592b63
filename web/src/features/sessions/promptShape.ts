/**
 * What a question asks for, from whatever a graph gave to `interrupt`. Every shape can be answered: by a schema, by options, as
 * a decision about a tool call (approve, edit, respond, decline), as text, and as JSON where nothing else is known.
 */
import type { Schema } from "../../forms/schema";
import { isObject, type Json, type JsonObject } from "../../json/json";

export type Decision = "accept" | "edit" | "response" | "ignore";

export type Question =
  | { kind: "schema"; schema: Schema }
  | { kind: "options"; options: readonly Json[] }
  | { kind: "decision"; action: string; args: Json; allowed: readonly Decision[] }
  | { kind: "text" }
  | { kind: "json" };

const ALLOWED: readonly (readonly [string, Decision])[] = [
  ["allow_accept", "accept"],
  ["allow_edit", "edit"],
  ["allow_respond", "response"],
  ["allow_ignore", "ignore"],
];
/** What holdfast itself understands of a prompt; with anything else in it, its author expects something of their own. */
const PLAIN = new Set(["prompt", "options", "expires_in", "context", "next", "interrupt", "node", "task"]);

export function questionOf(content: JsonObject, schema: unknown): Question {
  if (isObject(schema) && Object.keys(schema).length > 0) return { kind: "schema", schema };
  if (Array.isArray(content.options) && content.options.length > 0) return { kind: "options", options: content.options };
  const request = content.action_request;
  if (isObject(request)) {
    const config = isObject(content.config) ? content.config : {};
    const allowed = ALLOWED.filter(([name]) => config[name] === true).map(([, decision]) => decision);
    const action = typeof request.action === "string" ? request.action : "";
    return { kind: "decision", action, args: request.args ?? {}, allowed: allowed.length > 0 ? allowed : ["accept", "edit", "response", "ignore"] };
  }
  return Object.keys(content).every((name) => PLAIN.has(name)) ? { kind: "text" } : { kind: "json" };
}

/** The answer to a decision, in the shape in which such interrupts are resumed. */
export function decided(decision: Decision, question: { action: string; args: Json }, given: Json): Json {
  if (decision === "edit") return [{ type: "edit", args: { action: question.action, args: given } }];
  if (decision === "response") return [{ type: "response", args: given }];
  return [{ type: decision, args: null }];
}

/** What a prompt shows besides its words. */
export function besides(content: JsonObject): JsonObject {
  const hidden = new Set(["prompt", "options", "expires_in", "prompt_id", "response_schema"]);
  return Object.fromEntries(Object.entries(content).filter(([name]) => !hidden.has(name)));
}
