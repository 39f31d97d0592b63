/**
 * Says in words what an event tells: "ana granted approver to ben". The result is the name of a sentence in the language
 * files and what to put into it, so that this stays plain logic; an event nobody wrote a sentence for is told by its type.
 */
import type { Event } from "../../api/types";

export const SENTENCES = [
  "role_defined",
  "role_deleted",
  "tenant_created",
  "tenant_updated",
  "token_created",
  "token_revoked",
  "user_created",
  "user_service_created",
  "user_deactivated",
  "user_reactivated",
  "user_role_granted",
  "user_role_revoked",
  "user_updated",
  "other",
] as const;

export type SentenceName = (typeof SENTENCES)[number];
export type Tone = "good" | "bad" | "plain";

export interface Sentence {
  name: SentenceName;
  values: Record<string, string>;
}

export interface ActorName {
  kind: string;
  name: string;
}

type Told = Pick<Event, "event_type" | "actor" | "data" | "object_id">;

/** `user:ana` is the user ana. */
export function actorName(actor: string): ActorName {
  const at = actor.indexOf(":");
  return at < 0 ? { kind: "user", name: actor } : { kind: actor.slice(0, at), name: actor.slice(at + 1) };
}

/** `names` knows the users by id: some events name their object only so. */
export function sentence(event: Told, names: ReadonlyMap<string, string> = new Map()): Sentence {
  const actor = actorName(event.actor).name;
  const subject = names.get(event.object_id) ?? shortId(event.object_id);
  const say = (name: SentenceName, ...facts: string[]): Sentence => {
    const values: Record<string, string> = { actor };
    for (const fact of facts) {
      const value = event.data[fact];
      // A sentence with a hole in it would be worse than the plain type.
      if (typeof value !== "string" || value === "") return other(event, actor);
      values[fact] = value;
    }
    return { name, values };
  };
  switch (event.event_type) {
    case "role.defined":
      return say("role_defined", "role");
    case "role.deleted":
      return say("role_deleted", "role");
    case "tenant.created":
      return say("tenant_created", "name");
    case "tenant.updated":
      return say("tenant_updated");
    case "token.created":
      return say("token_created", "name", "user");
    case "token.revoked":
      return say("token_revoked", "name", "user");
    case "user.created":
      return say(event.data.kind === "service" ? "user_service_created" : "user_created", "name");
    case "user.deactivated":
      return say("user_deactivated", "name");
    case "user.reactivated":
      return say("user_reactivated", "name");
    case "user.role_granted":
      return say("user_role_granted", "name", "role");
    case "user.role_revoked":
      return say("user_role_revoked", "name", "role");
    case "user.updated":
      return { name: "user_updated", values: { actor, name: subject } };
    default:
      return other(event, actor);
  }
}

const GOOD = /\.(created|reactivated|succeeded|completed|approved|role_granted)$/;
const BAD = /\.(deleted|revoked|deactivated|failed|rejected|cancelled|role_revoked)$/;

/** Whether an event gave or took something; only a colour depends on it. */
export function tone(eventType: string): Tone {
  if (GOOD.test(eventType)) return "good";
  return BAD.test(eventType) ? "bad" : "plain";
}

export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id;
}

export interface Piece {
  text: string;
  strong: boolean;
}

/**
 * Fills a sentence such as `<b>{{actor}}</b> added <b>{{name}}</b>`. The names are put in after the marks were read, so that a
 * name which itself looks like a mark is shown as it is: a trail must not be written by those it tells of.
 */
export function pieces(template: string, values: Readonly<Record<string, string>>): Piece[] {
  return template
    .split(/(<b>.*?<\/b>)/)
    .filter(Boolean)
    .map((part) => {
      const marked = /^<b>(.*)<\/b>$/.exec(part);
      const text = (marked?.[1] ?? part).replace(/{{(\w+)}}/g, (hole, name: string) => values[name] ?? hole);
      return { text, strong: marked !== null };
    });
}

function other(event: Told, actor: string): Sentence {
  return { name: "other", values: { actor, type: event.event_type } };
}
