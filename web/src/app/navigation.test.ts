import { expect, test } from "vitest";
import { NAVIGATION, navigationFor } from "./navigation";

const seen = (...permissions: string[]) =>
  navigationFor((permission) => permissions.includes(permission)).flatMap((group) =>
    group.destinations.map(({ to }) => to),
  );

test("everybody sees the first page, their inbox and their own tokens, and a group without pages is left out", () => {
  expect(seen()).toEqual(["/", "/inbox", "/tokens"]);
  expect(navigationFor(() => false).map((group) => group.label)).toEqual([undefined, "group_work", "group_access"]);
});

test("a permission opens its pages", () => {
  expect(seen("users:read")).toEqual(["/", "/inbox", "/users", "/roles", "/tokens"]);
  expect(seen("audit:read")).toContain("/audit");
  expect(seen("runs:read", "schedules:read")).toEqual(["/", "/inbox", "/health", "/runs", "/schedules", "/tokens"]);
  expect(seen("documents:read", "processes:read")).toEqual(["/", "/inbox", "/documents", "/processes", "/tokens"]);
});

test("no page is listed twice", () => {
  const all = NAVIGATION.flatMap((group) => group.destinations.map(({ to }) => to));
  expect(new Set(all).size).toBe(all.length);
});
