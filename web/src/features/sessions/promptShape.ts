/**
 * What a question asks for, from whatever a graph gave to `interrupt`. Every shape can be answered: by a schema, by options, yes or
 * no, as decisions about calls of tools (approve, edit, respond, decline), as text, and as JSON where nothing else is known.
 */
import type { Schema } from "../../forms/schema";
import { isObject, type Json, type JsonObject } from "../../json/json";

export type Decision = "accept" | "edit" | "response" | "ignore" | "reject";

/** One call of a tool that somebody is to decide about. */
export interface ToolCall {
  action: string;
  args: Json;
  description: string | null;
  allowed: readonly Decision[];
  /** What the arguments must be, where the graph says so. */
  schema: Schema | null;
}

/** How the answer is written: as inboxes for agents expect it, or as LangChain's middleware does. */
export type Dialect = "inbox" | "middleware";

export type Question =
  | { kind: "schema"; schema: Schema }
  | { kind: "options"; options: readonly Json[] }
  | { kind: "yes_no"; schema: Schema }
  | { kind: "decisions"; dialect: Dialect; calls: readonly ToolCall[] }
  | { kind: "text" }
  | { kind: "json" };

/** What was decided about one call: with the new arguments of an edit, the words of a response, the reason of a rejection. */
export interface Decided {
  decision: Decision;
  given?: Json;
}

const INBOX: readonly (readonly [string, Decision])[] = [
  ["allow_accept", "accept"],
  ["allow_edit", "edit"],
  ["allow_respond", "response"],
  ["allow_ignore", "ignore"],
];
const MIDDLEWARE: Readonly<Record<string, Decision>> = { approve: "accept", edit: "edit", reject: "reject", respond: "response" };
/** What holdfast itself understands of a prompt; with anything else in it, its author expects something of their own. */
const PLAIN = new Set(["prompt", "options", "expires_in", "context", "next", "interrupt", "node", "task"]);

export function questionOf(content: JsonObject, schema: unknown): Question {
  if (isObject(schema) && Object.keys(schema).length > 0) return schema.type === "boolean" && !schema.enum ? { kind: "yes_no", schema } : { kind: "schema", schema };
  if (Array.isArray(content.options) && content.options.length > 0) return { kind: "options", options: content.options };
  const decisions = reviewed(content) ?? asked(content.action_request === undefined ? content.value : [content]);
  if (decisions) return decisions;
  return Object.keys(content).every((name) => PLAIN.has(name)) ? { kind: "text" } : { kind: "json" };
}

/** Requests as inboxes for agents know them: `action_request` and `config`, one or a list of them. */
function asked(requests: Json | undefined): Question | null {
  if (!Array.isArray(requests) || requests.length === 0) return null;
  const calls = requests.flatMap((each): ToolCall[] => {
    if (!isObject(each) || !isObject(each.action_request)) return [];
    const config = isObject(each.config) ? each.config : {};
    const allowed = INBOX.filter(([name]) => config[name] === true).map(([, decision]) => decision);
    return [callOf(each.action_request.action, each.action_request.args, each.description, allowed.length > 0 ? allowed : INBOX.map(([, decision]) => decision))];
  });
  return calls.length === requests.length ? { kind: "decisions", dialect: "inbox", calls } : null;
}

/** Requests of LangChain's middleware: `action_requests`, and by the name of the action in `review_configs` what is allowed. */
function reviewed({ action_requests: requests, review_configs: configs }: JsonObject): Question | null {
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(isObject)) return null;
  const known = Array.isArray(configs) ? configs.filter(isObject) : [];
  const calls = requests.map((each) => {
    const config = known.find(({ action_name }) => action_name === each.name);
    const allowed = (Array.isArray(config?.allowed_decisions) ? config.allowed_decisions : []).flatMap((name) => (typeof name === "string" && MIDDLEWARE[name] ? [MIDDLEWARE[name]] : []));
    const call = callOf(each.name, each.args ?? each.arguments, each.description, allowed.length > 0 ? allowed : ["accept", "edit", "reject"]);
    return isObject(config?.args_schema) ? { ...call, schema: config.args_schema } : call;
  });
  return { kind: "decisions", dialect: "middleware", calls };
}

function callOf(action: Json | undefined, args: Json | undefined, description: Json | undefined, allowed: readonly Decision[]): ToolCall {
  return { action: typeof action === "string" ? action : "", args: args ?? {}, description: typeof description === "string" ? description : null, allowed, schema: null };
}

/** What was decided, in the shape in which the graph is resumed: one for each call, in their order. */
export function answerOf(dialect: Dialect, calls: readonly ToolCall[], decided: readonly Decided[]): Json {
  const each = decided.map((one, at) => written(dialect, calls[at]?.action ?? "", one));
  return dialect === "inbox" ? each : { decisions: each };
}

function written(dialect: Dialect, action: string, { decision, given = null }: Decided): Json {
  if (dialect === "inbox") return { type: decision, args: decision === "edit" ? { action, args: given } : decision === "response" ? given : null };
  switch (decision) {
    case "edit":
      return { type: "edit", edited_action: { name: action, args: given } };
    case "response":
      return { type: "respond", message: given };
    case "reject":
      return given === null || given === "" ? { type: "reject" } : { type: "reject", message: given };
    default:
      return { type: "approve" };
  }
}

/** What goes with a decision, if anything: new arguments, words, or a reason that may be left out. */
export function givenWith(decision: Decision, call: ToolCall, words: { answer: string; reason: string; args: string }): Schema | null {
  if (decision === "edit") return { title: words.args, ...call.schema, default: call.args };
  if (decision === "response") return { type: "string", minLength: 1, title: words.answer };
  if (decision === "reject") return { type: ["string", "null"], title: words.reason };
  return null;
}

/** What a prompt shows besides its words. */
export function besides(content: JsonObject): JsonObject {
  const hidden = new Set(["prompt", "options", "expires_in", "prompt_id", "response_schema"]);
  return Object.fromEntries(Object.entries(content).filter(([name]) => !hidden.has(name)));
}
