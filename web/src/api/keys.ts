/** The names under which answers are cached. One place, so that whoever changes something knows what to refresh. */
import type { EventFilter } from "../features/audit/filter";
import type { RunFilter } from "../features/runs/filter";

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
  runs: (filter: RunFilter) => ["runs", "list", filter] as const,
  run: (id: string) => ["runs", "one", id] as const,
  runStats: ["runs", "stats"] as const,
  pauses: ["runs", "pauses"] as const,
  allRuns: ["runs"] as const,
  schedules: ["schedules", "list"] as const,
  scheduleFires: (name: string) => ["schedules", "fires", name] as const,
  cronFires: (cron: string, timezone: string) => ["schedules", "cron", cron, timezone] as const,
  allSchedules: ["schedules"] as const,
};
