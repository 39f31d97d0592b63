/**
 * What happened to a document, as one list in the order of time: made, edited, moved, asked about, decided, voided. Each entry
 * is a code with its facts; the page says it in the reader's language.
 */
import type { DocumentVersion, ProcessStep, RequestDetail } from "../../api/types";
import { changes } from "../../json/diff";
import type { JsonObject } from "../../json/json";
import { actorName } from "../audit/actor";

interface Common {
  id: string;
  at: string;
  by: string;
}

export type Entry = Common &
  (
    | { kind: "created"; version: number; hash: string }
    | { kind: "amended"; version: number; hash: string; fields: readonly string[] }
    | { kind: "edited"; version: number; hash: string; fields: readonly string[] }
    | { kind: "moved"; transition: string; outcome: string }
    | { kind: "asked"; title: string; version: number; whom: readonly string[]; request: string }
    | { kind: "decided"; title: string; decision: string; reason: string | null; version: number; hash: string | null; seat: string; request: string; voided: boolean }
    | { kind: "voided"; title: string; version: number; fields: readonly string[]; request: string }
    | { kind: "closed"; title: string; status: string; reason: string | null; request: string }
  );

export interface Sources {
  versions: readonly DocumentVersion[];
  requests: readonly RequestDetail[];
  steps: readonly ProcessStep[];
  /** Of an amendment, the content it was made from: it was not created, it replaces. */
  replaces?: JsonObject | undefined;
}

export function storyOf({ versions, requests, steps, replaces }: Sources): Entry[] {
  const entries = [...versions.map((version) => versionEntry(version, replaces)), ...steps.flatMap(moveEntry), ...requests.flatMap(requestEntries)];
  // Of two in one transaction, what caused comes before what followed.
  const order: readonly Entry["kind"][] = ["created", "amended", "edited", "voided", "decided", "closed", "moved", "asked"];
  return entries.sort((one, other) => time(one) - time(other) || order.indexOf(one.kind) - order.indexOf(other.kind));
}

const time = ({ at }: Entry): number => new Date(at).getTime();

function versionEntry(version: DocumentVersion, replaces: JsonObject | undefined): Entry {
  const common = { id: version.id, at: version.created_at, by: actorName(version.created_by).name, version: version.version, hash: version.content_hash };
  if (version.version === 1 && replaces) {
    const fields = changes(replaces, version.data as JsonObject).map(({ path }) => String(path[0]));
    return { ...common, kind: "amended", fields: [...new Set(fields)] };
  }
  return version.version === 1 ? { ...common, kind: "created" } : { ...common, kind: "edited", fields: version.changed_fields };
}

/** A gate that was passed moved the document. */
function moveEntry(step: ProcessStep): Entry[] {
  const gate = /^sys:gate:(.+)$/.exec(step.node_id)?.[1];
  if (!gate || step.completed_at === null || step.outcome === null) return [];
  const by = actorName(step.settled_by ?? step.actor ?? step.run_as).name;
  return [{ id: step.id, at: step.completed_at, by, kind: "moved", transition: gate, outcome: step.outcome }];
}

function requestEntries({ request, assignees, decisions }: RequestDetail): Entry[] {
  const { id, title, entity_version: version } = request;
  const entries: Entry[] = [
    {
      id: `${id}.asked`,
      at: request.created_at,
      by: request.requester ?? "",
      kind: "asked",
      title,
      version,
      whom: assignees.map(({ principal }) => principal),
      request: id,
    },
  ];
  for (const each of decisions) {
    entries.push({
      ...{ id: each.id, at: each.decided_at, by: actorName(each.decided_by).name, kind: "decided", title, version: each.entity_version, request: id },
      ...{ decision: each.decision, reason: each.reason, hash: each.content_hash, seat: each.seat, voided: each.voided_at !== null },
    });
  }
  if (request.closed_at !== null && request.status === "voided") {
    entries.push({ id: `${id}.voided`, at: request.closed_at, by: "", kind: "voided", title, version, fields: request.changed_fields ?? [], request: id });
  } else if (request.closed_at !== null && decisions.length === 0) {
    entries.push({ id: `${id}.closed`, at: request.closed_at, by: "", kind: "closed", title, status: request.status, reason: request.reason, request: id });
  }
  return entries;
}

/** What happened to a document and to all that it replaced, as one history. */
export function chainStory(chain: readonly Sources[]): Entry[] {
  return chain.flatMap((sources, at) => storyOf({ ...sources, replaces: chain[at - 1]?.versions.at(0)?.data as JsonObject | undefined }));
}

/** Who edited a document into the version that voided a request, and how: the version after the one that was asked about. */
export function voidingVersion(versions: readonly DocumentVersion[], request: { entity_version: number; closed_at: string | null }): DocumentVersion | undefined {
  const later = versions.filter(({ version }) => version > request.entity_version);
  return later.reduce<DocumentVersion | undefined>((first, each) => (first && first.version < each.version ? first : each), undefined);
}

/** `role:finance` is asked as a role, `user:ana` as themselves, `anyone` as whoever may. */
export function principalName(principal: string): { kind: "user" | "role" | "anyone"; name: string } {
  const [kind = "", ...rest] = principal.split(":");
  if (kind === "role" && rest.length > 0) return { kind: "role", name: rest.join(":") };
  if (kind === "user" && rest.length > 0) return { kind: "user", name: rest.join(":") };
  return principal === "anyone" ? { kind: "anyone", name: "" } : { kind: "user", name: principal };
}

const STATUSES = ["open", "approved", "rejected", "completed", "voided", "cancelled", "timeout"] as const;

export function statusWord(status: string): (typeof STATUSES)[number] | "closed" {
  return STATUSES.find((each) => each === status) ?? "closed";
}
