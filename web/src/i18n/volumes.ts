/**
 * The words of a language come in volumes, so that an approver does not fetch what only an operator reads. The first is there before
 * anything is drawn; the others come with the pages that need them. Forgetting a line here costs a few bytes and never a word: an area
 * that is not listed is in the first volume, a page that is not listed waits for all of them.
 */
import type { Words } from "./words";

export const LATER = ["design", "operate", "access", "installation"] as const;
export type Later = (typeof LATER)[number];
export type Volume = "first" | Later;

const AREAS: Record<Later, readonly (keyof Words)[]> = {
  design: ["action", "builder", "compile", "parts", "reason", "workflows"],
  operate: ["data", "deliveries", "health", "operations", "runs", "schedules", "sessions"],
  access: ["area", "builtin_role", "permission", "roles", "settings", "tokens", "users"],
  installation: ["installation"],
};

/** What a page needs besides the first volume, by the first word of its address. */
export const PAGES: Readonly<Record<string, readonly Later[]>> = {
  "": [],
  audit: [],
  automations: ["design"],
  data: ["operate"],
  deliveries: ["operate"],
  documents: [],
  health: ["operate"],
  inbox: [],
  installation: ["installation"],
  operations: ["operate"],
  parts: ["design"],
  processes: ["design"],
  roles: ["access"],
  runs: ["operate"],
  schedules: ["operate"],
  sessions: ["operate"],
  settings: ["access"],
  tokens: ["access"],
  users: ["access"],
  workflows: ["design"],
  you: [],
};

export function volumeOf(area: string): Volume {
  return LATER.find((volume) => AREAS[volume].some((each) => each === area)) ?? "first";
}

export function volumesFor(path: string): readonly Later[] {
  const page = path.split("/")[1] ?? "";
  return Object.hasOwn(PAGES, page) ? (PAGES[page] ?? []) : LATER;
}
