/**
 * Why a request came to somebody: the conditions on the way to its step, with the values that decided them, and in which
 * capacity they are asked. The server tells each as a sentence in one fixed form; this reads the form, so that it can be said in
 * any language and with the reader's digits.
 */
import type { Cause, InboxItem, Reason } from "../../api/types";

export type Comparison = ">" | ">=" | "<" | "<=" | "==" | "!=";

export interface Trace {
  node: string;
  /** As the workflow writes it. */
  expression: string;
  result: boolean;
  /** The server's own words for what decided it. */
  because: string;
  /** The two values as the server wrote them, digit by digit. */
  compared: { left: string; how: Comparison; right: string } | null;
}

const FORM = /^(?<expression>.+) is (?<result>true|false) because (?<because>.+)$/;
const COMPARED = /^(?<left>\S+) (?<how>>=|<=|==|!=|>|<) (?<right>\S+)$/;

export function traceOf({ node, because }: Pick<Reason, "node" | "because">): Trace | null {
  const found = FORM.exec(because)?.groups;
  if (!found) return null;
  const { expression = "", result, because: cause = "" } = found;
  const parts = COMPARED.exec(cause)?.groups;
  const compared = parts ? { left: parts.left ?? "", how: parts.how as Comparison, right: parts.right ?? "" } : null;
  return { node, expression, result: result === "true", because: cause, compared };
}

/** The decisions on the way to a node, first to last: back from it along the edges that were taken. */
export function wayTo(reasons: readonly Reason[], node: string): Reason[] {
  const way: Reason[] = [];
  let target = node;
  let before = Infinity;
  for (;;) {
    const step = [...reasons].filter((each) => each.target === target && each.seq < before).sort((one, other) => other.seq - one.seq)[0];
    // Where it comes by the same node again, an earlier round begins, which led elsewhere.
    if (!step || way.some(({ node: known }) => known === step.node)) return way.reverse();
    way.push(step);
    target = step.node;
    before = step.seq;
  }
}

export function tracesTo(reasons: readonly Reason[], node: string): Trace[] {
  return wayTo(reasons, node).flatMap((reason) => traceOf(reason) ?? []);
}

export type Capacity = { how: "mine" | "anyone" | "escalation" } | { how: "role"; role: string } | { how: "delegated"; whom: string } | { how: "after"; from: string };

/** In which capacity somebody is asked: by name, as the holder of a role, in another's place, or because it was handed on. */
export function capacityOf(
  { how, seat }: Pick<InboxItem, "how" | "seat">,
  asked: readonly string[],
  roles: readonly string[],
  why: readonly Pick<Cause, "code" | "params">[] = [],
): Capacity {
  if (how === "delegated") return { how, whom: bare(seat) };
  const after = why.find(({ code }) => code === "asked_after")?.params.from;
  if (typeof after === "string") return { how: "after", from: bare(after) };
  if (why.some(({ code }) => code === "asked_by_escalation")) return { how: "escalation" };
  // What somebody has done is theirs, though they may have been asked as one of a role.
  if (how === "mine" && (asked.length === 0 || asked.includes(`user:${bare(seat)}`))) return { how };
  const role = asked.map((principal) => /^role:(.+)$/.exec(principal)?.[1]).find((each) => each !== undefined && roles.includes(each));
  if (role !== undefined) return { how: "role", role };
  return { how: how === "mine" ? "mine" : "anyone" };
}

const bare = (principal: string) => principal.replace(/^user:/, "");

/** The place in the document that one side of a comparison reads, or null for a plain value. */
export function readPath(expression: string, side: "left" | "right"): string[] | null {
  const parts = /^(.+?)\s*(?:>=|<=|==|!=|>|<)\s*(.+)$/.exec(expression);
  const text = parts?.[side === "left" ? 1 : 2]?.trim();
  const path = text ? /^entity\.([\w.]+)$/.exec(text)?.[1] : undefined;
  return path ? path.split(".") : null;
}
