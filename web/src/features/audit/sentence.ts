/**
 * Says in words what an event tells: "ana granted approver to ben". The result is the name of a sentence in the language
 * files and what to put into it, so that this stays plain logic; an event nobody wrote a sentence for is told by its type.
 */
import type { Event } from "../../api/types";
import { actorName } from "./actor";

/** Sentences, each with the facts of the event that it tells. Named as the type of the event, with its dot as a line. */
const FACTS = {
  action_called: ["action"],
  approval_cancelled: [],
  approval_claimed: [],
  approval_decided: ["by", "decision", "version"],
  approval_escalated: [],
  approval_reassigned: ["to"],
  approval_released: [],
  approval_reminded: [],
  approval_requested: ["title"],
  approval_timeout: [],
  approval_voided: [],
  chain_archived: ["chain"],
  chain_defined: ["chain"],
  contract_registered: ["entity_type", "version"],
  data_deleted: ["key", "namespace"],
  data_expired: ["key", "namespace"],
  data_quota_warning: ["namespace"],
  data_set: ["key", "namespace"],
  definition_archived: [],
  definition_draft_deleted: [],
  definition_draft_taken_over: [],
  definition_drafted: ["entity_type"],
  definition_proposed: [],
  definition_published: ["entity_type", "version"],
  definition_recompiled: [],
  delegation_created: ["delegate", "delegator"],
  delegation_revoked: [],
  document_amended: [],
  document_created: ["entity_type"],
  document_deleted: [],
  document_read: [],
  document_transitioned: ["from", "to"],
  document_updated: ["version"],
  documents_listed: [],
  effect_dead_letter: ["message"],
  effect_delivered: [],
  effect_replayed: [],
  effect_skipped: ["reason"],
  effect_withdrawn: [],
  inbox_replayed: [],
  inbox_skipped: ["reason"],
  instance_advanced: [],
  instance_cancelled: [],
  instance_completed: [],
  instance_enqueued_again: [],
  instance_failed: [],
  instance_migrated: [],
  instance_paused: [],
  instance_rebuilt: [],
  instance_resumed: [],
  instance_started: [],
  link_created: ["relation"],
  link_deleted: ["relation"],
  link_updated: ["relation"],
  manager_set: ["name"],
  operation_cancelled: [],
  operation_started: [],
  outbox_dead: [],
  outbox_replayed: [],
  outbox_skipped: ["reason"],
  role_defined: ["role"],
  role_deleted: ["role"],
  role_grantable_by_changed: [],
  run_cancelled: ["reason"],
  run_created: ["type"],
  run_deleted: ["reason"],
  run_failed: ["error"],
  run_lease_expired: ["attempt"],
  run_leased: ["attempt"],
  run_released: [],
  run_retried: ["attempt", "error"],
  run_slept: [],
  run_snoozed: [],
  run_started: ["attempt"],
  run_succeeded: [],
  run_waited: [],
  schedule_changed: ["name"],
  schedule_created: ["name"],
  schedule_deleted: ["name"],
  schedule_failed: ["name", "error"],
  schedule_fired: ["name"],
  schedule_fired_by_hand: ["name"],
  schedule_missed: ["name"],
  schedule_paused: ["name"],
  schedule_resumed: ["name"],
  schedule_skipped: ["name"],
  secret_deleted: ["name"],
  secret_set: ["name"],
  secret_used: [],
  secrets_listed: [],
  session_answered: [],
  session_cancelled: [],
  session_completed: [],
  session_created: ["name"],
  session_deleted: ["name"],
  session_edited: [],
  session_failed: [],
  session_forked: [],
  session_input: [],
  session_running: [],
  session_waiting_for_input: [],
  sign_in_began: [],
  sign_in_ended: [],
  sign_in_failed: [],
  task_decided: ["by"],
  task_requested: ["title"],
  test_case_deleted: ["case"],
  test_case_kept: ["case"],
  tenant_created: ["name"],
  tenant_updated: [],
  token_created: ["name", "user"],
  token_revoked: ["name", "user"],
  trigger_changed: ["name"],
  trigger_created: ["name"],
  trigger_deleted: ["name"],
  trigger_disabled: ["name"],
  trigger_enabled: ["name"],
  user_created: ["name"],
  user_deactivated: ["name"],
  user_introduced: ["name"],
  user_reactivated: ["name"],
  user_role_granted: ["name", "role"],
  user_role_not_granted: ["name", "role"],
  user_role_requested: ["name", "role"],
  user_role_revoked: ["name", "role"],
} as const satisfies Record<string, readonly string[]>;

/** Told of some events of a type only, or of what is no fact of the event. */
const SPECIAL = ["run_retry_of", "user_service_created", "user_updated", "other"] as const;

export type SentenceName = keyof typeof FACTS | (typeof SPECIAL)[number];
export type Tone = "good" | "bad" | "plain";

export const SENTENCES: readonly SentenceName[] = [...(Object.keys(FACTS) as (keyof typeof FACTS)[]), ...SPECIAL];

export interface Sentence {
  name: SentenceName;
  values: Record<string, string>;
}

type Told = Pick<Event, "event_type" | "actor" | "data" | "object_id">;

/** `names` knows the users by id: some events name their object only so. */
export function sentence(event: Told, names: ReadonlyMap<string, string> = new Map()): Sentence {
  const actor = actorName(event.actor).name;
  if (event.event_type === "user.updated") {
    return { name: "user_updated", values: { actor, name: names.get(event.object_id) ?? shortId(event.object_id) } };
  }
  if (event.event_type === "run.retried" && event.data.retry_of) return { name: "run_retry_of", values: { actor } };
  const name = nameOf(event.event_type);
  if (name === undefined) return other(event, actor);
  const values: Record<string, string> = { actor };
  for (const fact of FACTS[name]) {
    const value = event.data[fact];
    // A sentence with a hole in it would be worse than the plain type.
    const fits = typeof value === "string" || (typeof value === "number" && (fact === "attempt" || fact === "version"));
    if (!fits || value === "") return other(event, actor);
    values[fact] = String(value);
  }
  return { name: name === "user_created" && event.data.kind === "service" ? "user_service_created" : name, values };
}

function nameOf(type: string): keyof typeof FACTS | undefined {
  const name = type.replace(".", "_");
  // A task is a request too: what has no words of its own for tasks has those of approvals.
  return [name, name.replace(/^task_/, "approval_")].find((each): each is keyof typeof FACTS => Object.hasOwn(FACTS, each));
}

const GOOD = /\.(created|reactivated|succeeded|completed|approved|role_granted)$/;
const BAD = /\.(deleted|revoked|lease_expired|deactivated|dead|dead_letter|failed|rejected|cancelled|role_revoked)$/;

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
