/** What the list of sessions is narrowed to, and what is looked at of one, as it stands in the address. */

export const SESSION_STATUSES = ["waiting_for_input", "running", "pending", "completed", "failed"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const STATUS_COLORS: Record<SessionStatus, string> = {
  waiting_for_input: "ochre",
  running: "kelp",
  pending: "slate",
  completed: "kelp",
  failed: "rust",
};

export interface SessionFilter {
  status?: SessionStatus;
  workflow?: string;
}

const TABS = ["graph", "history"] as const;

export interface SessionView {
  tab?: (typeof TABS)[number];
  checkpoint?: string;
}

const text = (value: unknown) => (typeof value === "string" ? value.trim().slice(0, 256) : "");

export function sessionStatus(value: unknown): SessionStatus | undefined {
  return SESSION_STATUSES.find((status) => status === value);
}

/** The filter of an address; what is not valid there is left out. */
export function sessionFilter(search: Readonly<Record<string, unknown>>): SessionFilter {
  const status = sessionStatus(search.status);
  const workflow = text(search.workflow);
  return { ...(status && { status }), ...(workflow && { workflow }) };
}

export function sessionView(search: Readonly<Record<string, unknown>>): SessionView {
  const checkpoint = text(search.checkpoint);
  const tab = TABS.find((each) => each === search.tab);
  return { ...(tab && { tab }), ...(checkpoint && { checkpoint }) };
}
