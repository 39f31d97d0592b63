/** Which kind of part one looks at, and which of them is open, as the address says it. */
export const TABS = ["chains", "rules", "secrets", "chart"] as const;
export type Tab = (typeof TABS)[number];

export interface PartsView {
  tab?: Tab;
  /** The name of the open one; empty for a new one. */
  open?: string;
}

export function partsView(search: Record<string, unknown>): PartsView {
  const tab = TABS.find((each) => each === search.tab);
  return { ...(tab && tab !== "chains" && { tab }), ...(typeof search.open === "string" && { open: search.open }) };
}
