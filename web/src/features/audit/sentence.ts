/**
 * Says in words what an event tells: "ana granted approver to ben". The result is the name of a sentence in the language
 * files and what to put into it, so that this stays plain logic; an event nobody wrote a sentence for is told by its type.
 */
import type { Event } from "../../api/types";
import { actorName } from "./actor";

export const SENTENCES = [
  "action_called",
  "approval_decided",
  "approval_escalated",
  "approval_reminded",
  "approval_requested",
  "approval_voided",
  "contract_registered",
  "definition_drafted",
  "definition_published",
  "document_amended",
  "document_created",
  "document_transitioned",
  "document_updated",
  "instance_advanced",
  "instance_completed",
  "instance_rebuilt",
  "instance_started",
  "role_defined",
  "role_deleted",
  "run_cancelled",
  "run_created",
  "run_deleted",
  "run_failed",
  "run_lease_expired",
  "run_leased",
  "run_released",
  "run_retried",
  "run_retry_of",
  "run_slept",
  "run_snoozed",
  "run_started",
  "run_succeeded",
  "schedule_changed",
  "schedule_created",
  "schedule_deleted",
  "schedule_failed",
  "schedule_fired",
  "schedule_fired_by_hand",
  "schedule_missed",
  "schedule_paused",
  "schedule_resumed",
  "schedule_skipped",
  "task_requested",
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

type Told = Pick<Event, "event_type" | "actor" | "data" | "object_id">;

/** `names` knows the users by id: some events name their object only so. */
export function sentence(event: Told, names: ReadonlyMap<string, string> = new Map()): Sentence {
  const actor = actorName(event.actor).name;
  const subject = names.get(event.object_id) ?? shortId(event.object_id);
  const say = (name: SentenceName, ...facts: string[]): Sentence => {
    const values: Record<string, string> = { actor };
    for (const fact of facts) {
      const value = event.data[fact];
      // A sentence with a hole in it would be worse than the plain type.
      const fits = typeof value === "string" || (typeof value === "number" && (fact === "attempt" || fact === "version"));
      if (!fits || value === "") return other(event, actor);
      values[fact] = String(value);
    }
    return { name, values };
  };
  switch (event.event_type) {
    case "action.called":
      return say("action_called", "action");
    case "approval.decided":
      return say("approval_decided", "by", "decision", "version");
    case "approval.escalated":
      return say("approval_escalated");
    case "approval.reminded":
      return say("approval_reminded");
    case "approval.requested":
      return say("approval_requested", "title");
    case "approval.voided":
      return say("approval_voided");
    case "contract.registered":
      return say("contract_registered", "entity_type", "version");
    case "definition.drafted":
      return say("definition_drafted", "entity_type");
    case "definition.published":
      return say("definition_published", "entity_type", "version");
    case "document.amended":
      return say("document_amended");
    case "document.created":
      return say("document_created", "entity_type");
    case "document.transitioned":
      return say("document_transitioned", "from", "to");
    case "document.updated":
      return say("document_updated", "version");
    case "instance.advanced":
      return say("instance_advanced");
    case "instance.completed":
      return say("instance_completed");
    case "instance.rebuilt":
      return say("instance_rebuilt");
    case "instance.started":
      return say("instance_started");
    case "task.requested":
      return say("task_requested", "title");
    case "role.defined":
      return say("role_defined", "role");
    case "role.deleted":
      return say("role_deleted", "role");
    case "run.cancelled":
      return say("run_cancelled", "reason");
    case "run.created":
      return say("run_created", "type");
    case "run.deleted":
      return say("run_deleted", "reason");
    case "run.failed":
      return say("run_failed", "error");
    case "run.lease_expired":
      return say("run_lease_expired", "attempt");
    case "run.leased":
      return say("run_leased", "attempt");
    case "run.released":
      return say("run_released");
    case "run.retried":
      return event.data.retry_of ? say("run_retry_of") : say("run_retried", "attempt", "error");
    case "run.slept":
      return say("run_slept");
    case "run.snoozed":
      return say("run_snoozed");
    case "run.started":
      return say("run_started", "attempt");
    case "run.succeeded":
      return say("run_succeeded");
    case "schedule.changed":
      return say("schedule_changed", "name");
    case "schedule.created":
      return say("schedule_created", "name");
    case "schedule.deleted":
      return say("schedule_deleted", "name");
    case "schedule.failed":
      return say("schedule_failed", "name", "error");
    case "schedule.fired":
      return say("schedule_fired", "name");
    case "schedule.fired_by_hand":
      return say("schedule_fired_by_hand", "name");
    case "schedule.missed":
      return say("schedule_missed", "name");
    case "schedule.paused":
      return say("schedule_paused", "name");
    case "schedule.resumed":
      return say("schedule_resumed", "name");
    case "schedule.skipped":
      return say("schedule_skipped", "name");
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
const BAD = /\.(deleted|revoked|lease_expired|deactivated|failed|rejected|cancelled|role_revoked)$/;

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
