/** Deciding many at once: what can be, and why the others cannot, before anything is decided. */
import type { InboxItem, RequestDetail } from "../../api/types";

export type BulkRefusal = "changed" | "closed" | "own" | "task" | "claimed";

export interface Planned {
  item: InboxItem;
  refusal: BulkRefusal | null;
}

/** `fresh` is each request as it is now; the rows are as they were when somebody looked. */
export function planned(items: readonly InboxItem[], fresh: ReadonlyMap<string, RequestDetail>, me: string): Planned[] {
  return items.map((item) => ({ item, refusal: refusalOf(item, fresh.get(item.id), me) }));
}

function refusalOf(item: InboxItem, now: RequestDetail | undefined, me: string): BulkRefusal | null {
  if (item.kind !== "approval") return "task";
  if (!now || now.request.status === "voided" || now.request.entity_version !== item.entity_version) return "changed";
  if (now.request.status !== "open") return "closed";
  if (now.request.four_eyes && now.request.requester?.replace(/^user:/, "") === me) return "own";
  if (now.request.claimed_by !== null && now.request.claimed_by.replace(/^user:/, "") !== me) return "claimed";
  return null;
}
