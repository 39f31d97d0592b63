/**
 * What the server tells while somebody looks: one stream for everything, `GET /v1/{tenant}/live?topics=inbox,documents`. Each
 * message is an event `{id, topic, kind, object}` ("this document was changed"), or `resync`: too much was missed, ask anew.
 */
import { isObject, type JsonObject, parse } from "../json/json";

export interface LiveEvent {
  /** Grows with the stream; sent back as `Last-Event-ID` to go on from there. */
  id: string;
  topic: string;
  /** What happened, in the past tense: `changed`, `decided`. */
  kind: string;
  /** What it happened to: its kind and id, perhaps more. Whoever needs the rest asks for it. */
  object: JsonObject;
}

/** What a listener is told. */
export type News = LiveEvent | "resync";

/**
 * `connecting` at first, `live` while events come, `reconnecting` after a cut, `polling` when no stream can be had and
 * everything is asked for anew from time to time, `stopped` when the server refuses this credential or nobody listens.
 */
export type LiveState = "connecting" | "live" | "reconnecting" | "polling" | "stopped";

export interface Message {
  id?: string | undefined;
  event?: string | undefined;
  data: string;
}

/** A message of the stream; null for what this console does not know yet. */
export function newsOf(message: Message): News | null {
  if (message.event === "resync") return "resync";
  try {
    const data = parse(message.data);
    if (!isObject(data) || typeof data.topic !== "string" || typeof data.kind !== "string") return null;
    const id = typeof data.id === "string" ? data.id : (message.id ?? "");
    return { id, topic: data.topic, kind: data.kind, object: isObject(data.object) ? data.object : {} };
  } catch {
    return null;
  }
}

export function liveAddress(base: string, topics: readonly string[]): string {
  return `${base}?topics=${topics.map(encodeURIComponent).join(",")}`;
}
