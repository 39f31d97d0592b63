/** How far people are with a request: who decided what, who is still waited for, and how many votes it takes. */
import type { Decision, RequestDetail } from "../../api/types";
import { actorName } from "../audit/actor";

export interface Vote {
  by: string;
  /** In whose place, where that is another's. */
  seat: string | null;
  decision: string;
  reason: string | null;
  at: string;
  version: number;
  hash: string | null;
  voided: boolean;
}

export interface Progress {
  votes: readonly Vote[];
  /** Votes in favour that count. */
  given: number;
  /** How many it takes; null where everybody who is asked must agree and that depends on who holds a role. */
  needed: number | null;
  waiting: readonly string[];
}

export function progressOf({ request, assignees, decisions }: RequestDetail): Progress {
  const votes = decisions.map(voteOf);
  const standing = votes.filter(({ voided }) => !voided);
  const given = standing.filter(({ decision }) => decision === "approved" || decision === "completed").length;
  const named = assignees.filter(({ removed_at }) => removed_at === null);
  const onlyPeople = named.every(({ principal }) => principal.startsWith("user:"));
  const needed = request.required === "any" ? 1 : request.required === "all" ? (onlyPeople ? named.length : null) : Number(request.required);
  const done = new Set(standing.map(({ by, seat }) => `user:${seat ?? by}`));
  const waiting = request.status === "open" ? assignees.filter(({ is_open, principal }) => is_open && !done.has(principal)).map(({ principal }) => principal) : [];
  return { votes, given, needed: needed !== null && Number.isFinite(needed) ? needed : null, waiting };
}

function voteOf(decision: Decision): Vote {
  const by = actorName(decision.decided_by).name;
  const seat = /^user:(.+)$/.exec(decision.seat)?.[1] ?? null;
  return {
    by,
    seat: seat === by ? null : seat,
    decision: decision.decision,
    reason: decision.reason,
    at: decision.decided_at,
    version: decision.entity_version,
    hash: decision.content_hash,
    voided: decision.voided_at !== null,
  };
}

const WORDS = ["approved", "rejected", "returned", "abstained"] as const;

/** Under which word a decision is said; the buttons of a task are answers. */
export function decidedWord(decision: string): (typeof WORDS)[number] | "answered" {
  return WORDS.find((each) => each === decision) ?? "answered";
}

/** The version somebody last decided on, among all requests of a document; undefined when they never did. */
export function lastDecided(requests: readonly RequestDetail[], who: string): number | undefined {
  const mine = requests.flatMap(({ decisions }) => decisions.filter(({ decided_by }) => actorName(decided_by).name === who));
  return mine.sort((one, other) => one.decided_at.localeCompare(other.decided_at)).at(-1)?.entity_version;
}
