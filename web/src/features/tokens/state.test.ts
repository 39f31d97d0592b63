import { expect, test } from "vitest";
import { inForce, LIFETIMES, lifetimeOf, lifetimeText, tokenState } from "./state";

const NOW = new Date("2026-06-01T12:00:00Z");
const token = { expires_at: null, revoked_at: null, last_used_at: null };

test("a token is unused until it is used, then active", () => {
  expect(tokenState(token, NOW)).toBe("unused");
  expect(tokenState({ ...token, last_used_at: "2026-05-01T00:00:00Z" }, NOW)).toBe("active");
});

test("it expires at the very instant, not after it", () => {
  expect(tokenState({ ...token, expires_at: "2026-06-01T12:00:00.001Z" }, NOW)).toBe("unused");
  expect(tokenState({ ...token, expires_at: "2026-06-01T12:00:00Z" }, NOW)).toBe("expired");
});

test("revoked stays revoked", () => {
  const gone = { ...token, revoked_at: "2026-01-01T00:00:00Z", expires_at: "2026-02-01T00:00:00Z" };
  expect(tokenState(gone, NOW)).toBe("revoked");
  expect(inForce(gone, NOW)).toBe(false);
  expect(inForce(token, NOW)).toBe(true);
});

test("every lifetime survives being chosen in a list", () => {
  expect(LIFETIMES.map(lifetimeText).map(lifetimeOf)).toEqual([...LIFETIMES]);
  expect(lifetimeOf("nonsense")).toBe(90);
});
