/** What the audit trail is narrowed to, as it stands in the address. */

export const EVENT_KINDS = [
  "access",
  "action",
  "data",
  "definition",
  "document",
  "instance",
  "outbox",
  "run",
  "schedule",
  "session",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface EventFilter {
  kind?: EventKind;
  object?: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isObjectId(text: string): boolean {
  return UUID.test(text.trim());
}

export function eventKind(value: unknown): EventKind | undefined {
  return EVENT_KINDS.find((kind) => kind === value);
}

/** The filter of an address; what is not valid there is left out. */
export function eventFilter(search: Readonly<Record<string, unknown>>): EventFilter {
  const kind = eventKind(search.kind);
  const object =
    typeof search.object === "string" && isObjectId(search.object) ? search.object.trim().toLowerCase() : undefined;
  return { ...(kind && { kind }), ...(object && { object }) };
}
