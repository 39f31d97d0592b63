/** What has become of a token, and how long a new one may last. */
import type { Token } from "../../api/types";

export type TokenState = "active" | "unused" | "expired" | "revoked";

type Facts = Pick<Token, "expires_at" | "revoked_at" | "last_used_at">;

/** A revoked token is revoked even when it would have expired since; only one in force can be unused. */
export function tokenState(token: Facts, now: Date): TokenState {
  if (token.revoked_at !== null) return "revoked";
  if (token.expires_at !== null && new Date(token.expires_at) <= now) return "expired";
  return token.last_used_at === null ? "unused" : "active";
}

export function inForce(token: Facts, now: Date): boolean {
  const state = tokenState(token, now);
  return state === "active" || state === "unused";
}

/** The lifetimes offered, in days; null never expires. */
export const LIFETIMES = [1, 7, 30, 90, 365, null] as const;
export type Lifetime = (typeof LIFETIMES)[number];

export const lifetimeText = (days: Lifetime): string => String(days ?? "never");

export function lifetimeOf(text: string): Lifetime {
  const at = LIFETIMES.findIndex((days) => lifetimeText(days) === text);
  // `null` is a lifetime too, so only the position tells whether one was found.
  return at < 0 ? 90 : (LIFETIMES[at] ?? null);
}
