/** The names under which answers are cached. One place, so that whoever changes something knows what to refresh. */
import type { EventFilter } from "../features/audit/filter";

export const keys = {
  me: ["me"] as const,
  permissions: ["permissions"] as const,
  tenant: ["tenant"] as const,
  users: ["users"] as const,
  roles: ["roles"] as const,
  tokens: (user: string | null) => ["tokens", user] as const,
  allTokens: ["tokens"] as const,
  events: (filter: EventFilter) => ["events", filter] as const,
  allEvents: ["events"] as const,
  verification: ["verification"] as const,
};
