import { expect, test } from "vitest";
import { coverage, groupPermissions, lacking, partsOf, permissionsOf } from "./permissions";

const DESCRIPTIONS = {
  "tenant:read": "see the tenant",
  "users:read": "see users",
  "tenant:write": "change the tenant",
  "users:write": "change users",
};

test("permissions are grouped by area and keep the server's order", () => {
  const groups = groupPermissions(DESCRIPTIONS);
  expect(groups.map((group) => group.area)).toEqual(["tenant", "users"]);
  expect(groups[0]?.permissions).toEqual([
    { name: "tenant:read", area: "tenant", verb: "read", description: "see the tenant" },
    { name: "tenant:write", area: "tenant", verb: "write", description: "change the tenant" },
  ]);
  expect(groupPermissions({})).toEqual([]);
});

test("a permission without a colon is its own area", () => {
  expect(partsOf("everything")).toEqual({ area: "everything", verb: "everything" });
  expect(partsOf("a:b:c")).toEqual({ area: "a", verb: "b:c" });
});

test("nobody hands out what they lack", () => {
  expect(lacking(["users:read", "users:write"], ["users:read"])).toEqual(["users:write"]);
  expect(lacking([], [])).toEqual([]);
});

test("roles add up without repeating", () => {
  const roles = [
    { name: "viewer", permissions: ["users:read", "tenant:read"] },
    { name: "admin", permissions: ["users:write", "users:read"] },
    { name: "other", permissions: ["data:read"] },
  ];
  expect(permissionsOf(["viewer", "admin", "gone"], roles)).toEqual(["tenant:read", "users:read", "users:write"]);
});

test("a group is chosen wholly, partly or not at all", () => {
  const [tenant] = groupPermissions(DESCRIPTIONS);
  if (!tenant) throw new Error("no group");
  expect(coverage(tenant, new Set())).toBe("none");
  expect(coverage(tenant, new Set(["tenant:read", "users:read"]))).toBe("some");
  expect(coverage(tenant, new Set(["tenant:read", "tenant:write"]))).toBe("all");
});
