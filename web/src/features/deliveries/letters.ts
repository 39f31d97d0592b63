/** Events of the outbox, effects and dead letters of the engine as one kind of row. */
import type { DeadLetter, OutboxEvent } from "../../api/operate";
import type { Effect } from "../../api/types";
import { actorName } from "../audit/actor";
import type { LetterQueue } from "./view";

interface Common {
  queue: LetterQueue;
  id: string;
  type: string;
  /** Of which thing it is. */
  about: string | null;
  status: string;
  dead: boolean;
  attempts: string;
  error: string | null;
  at: string;
  /** Who caused it. */
  by: string;
}
export type AnyLetter = Common & ({ queue: "outbox"; event: OutboxEvent } | { queue: "effects"; effect: Effect } | { queue: "engine"; letter: DeadLetter });

export const outboxEvent = (event: OutboxEvent): AnyLetter => ({
  ...{ queue: "outbox", event, id: event.id, type: event.type, about: aggregateOf(event), status: event.status, dead: event.status === "dead" },
  ...{ attempts: String(event.attempts), error: event.last_error, at: event.created_at, by: actorName(event.created_by).name },
});

export const effect = (given: Effect): AnyLetter => ({
  ...{ queue: "effects", effect: given, id: given.id, type: given.kind, about: given.node_id?.split(":").at(-1) ?? null, status: given.status, dead: given.status === "dead_letter" },
  ...{ attempts: `${given.attempts}/${given.max_attempts}`, error: given.error, at: given.created_at, by: actorName(given.created_by).name },
});

export const deadEvent = (letter: DeadLetter): AnyLetter => ({
  ...{ queue: "engine", letter, id: letter.id, type: letter.event_type, about: letter.entity_type, status: "dead_letter", dead: true },
  ...{ attempts: String(letter.attempts), error: letter.error, at: letter.created_at, by: typeof letter.actor.name === "string" ? letter.actor.name : "" },
});

export const aggregateOf = ({ aggregate_type, aggregate_id }: Pick<OutboxEvent, "aggregate_type" | "aggregate_id">): string => `${aggregate_type}/${aggregate_id}`;
