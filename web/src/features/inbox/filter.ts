/** Which part of the inbox is looked at and which row is open, as it stands in the address. */

export const INBOX_TABS = ["all", "mine", "role", "delegated", "overdue"] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export interface InboxView {
  tab?: Exclude<InboxTab, "all">;
  /** The request that is open; on a wide screen the first row is when none is named. */
  item?: string;
  /** The type of document the list is narrowed to. */
  type?: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function inboxView(search: Readonly<Record<string, unknown>>): InboxView {
  const tab = INBOX_TABS.find((each) => each === search.tab);
  const item = typeof search.item === "string" && ID.test(search.item) ? search.item : undefined;
  const type = typeof search.type === "string" && /^[a-z][a-z0-9_]*$/.test(search.type) ? search.type : undefined;
  return { ...(tab && tab !== "all" && { tab }), ...(item && { item }), ...(type && { type }) };
}
