/** Deciding many at once: what the server said it would do, or did, with each of them. */
import type { DecidedItem, InboxItem } from "../../api/types";

export type BulkRefusal = "changed" | "closed" | "own" | "task" | "claimed" | "refused";

export interface Planned {
  item: InboxItem;
  refusal: BulkRefusal | null;
  /** What the server says of a refusal, in its own words. */
  said: string | null;
}

/** What can be decided together with others: a task wants its form filled in. */
export const decidable = (items: readonly InboxItem[]): InboxItem[] => items.filter(({ kind }) => kind === "approval");

/** `answers` is what the server would do with each request, by its id. */
export function planned(items: readonly InboxItem[], answers: ReadonlyMap<string, DecidedItem>, me: string): Planned[] {
  return items.map((item) => {
    if (item.kind !== "approval") return { item, refusal: "task", said: null };
    const refused = answers.get(item.id)?.refused ?? null;
    return refused === null ? { item, refusal: null, said: null } : { item, refusal: refusalOf(item, refused.code, me), said: refused.message };
  });
}

/** What became of each: those refused in the preview stay so, others may have been changed between it and the press. */
export function became(plan: readonly Planned[], answers: ReadonlyMap<string, DecidedItem>, me: string): Planned[] {
  return plan.map((each) => {
    const refused = each.refusal === null ? (answers.get(each.item.id)?.refused ?? null) : null;
    return refused === null ? each : { item: each.item, refusal: refusalOf(each.item, refused.code, me), said: refused.message };
  });
}

function refusalOf(item: InboxItem, code: string, me: string): BulkRefusal {
  if (code === "WORKFLOW_STALE_APPROVAL" || code === "version_conflict" || code === "not_found") return "changed";
  if (code === "forbidden") return own(item, me) ? "own" : "refused";
  if (code !== "conflict") return "refused";
  return item.claimed_by !== null && bare(item.claimed_by) !== me ? "claimed" : "closed";
}

const bare = (name: string) => name.replace(/^user:/, "");
const own = ({ requester }: InboxItem, me: string) => requester !== null && bare(requester) === me;
