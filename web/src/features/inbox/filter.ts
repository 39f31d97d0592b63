/** Which part of the inbox is looked at, what it is narrowed to and which row is open, as it stands in the address. */

export const INBOX_TABS = ["all", "mine", "role", "delegated", "overdue", "done"] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

/** What the server narrows the inbox to; the same words in its address, in ours and in a view that somebody keeps. */
export interface InboxFilter {
  type?: string;
  kind?: "approval" | "task";
  /** Who asked. */
  requester?: string;
  /** A day: what is due before it begins. */
  due_before?: string;
}

export interface InboxView extends InboxFilter {
  tab?: Exclude<InboxTab, "all">;
  /** The request that is open; on a wide screen the first row is when none is named. */
  item?: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KINDS = ["approval", "task"] as const;

export function inboxView(search: Readonly<Record<string, unknown>>): InboxView {
  const matching = (value: unknown, form: RegExp) => (typeof value === "string" && form.test(value) ? value : undefined);
  const tab = INBOX_TABS.find((each) => each === search.tab);
  const item = matching(search.item, ID);
  const type = matching(search.type, /^[a-z][a-z0-9_]*$/);
  const kind = KINDS.find((each) => each === search.kind);
  const requester = matching(search.requester, /^\S.{0,254}$/);
  const due_before = matching(search.due_before, /^\d{4}-\d{2}-\d{2}$/);
  return {
    ...(tab && tab !== "all" && { tab }),
    ...(type && { type }),
    ...(kind && { kind }),
    ...(requester && { requester }),
    ...(due_before && { due_before }),
    ...(item && { item }),
  };
}

/** The view without what is open in it: what a list is narrowed to. */
export function filterOf({ type, kind, requester, due_before }: InboxView): InboxFilter {
  return inboxView({ type, kind, requester, due_before });
}

/** A filter as the server takes it. */
export function asked({ type, kind, requester, due_before }: InboxFilter) {
  return {
    ...(type && { entity_type: type }),
    ...(kind && { kind }),
    ...(requester && { requester }),
    ...(due_before && { due_before: new Date(`${due_before}T00:00:00`).toISOString() }),
  };
}

/** A view as the server keeps it, and back; the day stands in it as the instant it begins, where it was kept. */
export function kept(view: InboxView): Record<string, string> {
  return { ...(view.tab && { which: view.tab }), ...asked(view) };
}

export function fromKept(filters: Readonly<Record<string, unknown>>): InboxView {
  const { which, entity_type, due_before, ...rest } = filters;
  const begins = typeof due_before === "string" ? new Date(due_before) : null;
  const day = begins && !Number.isNaN(begins.getTime()) ? begins.toLocaleDateString("sv-SE") : undefined;
  return inboxView({ ...rest, tab: which, type: entity_type, due_before: day });
}
