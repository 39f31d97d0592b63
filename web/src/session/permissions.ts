/** Permissions as plain values: grouped for reading, compared for deciding what somebody may hand out. */

export interface Permission {
  name: string;
  area: string;
  verb: string;
  description: string;
}

export interface PermissionGroup {
  area: string;
  permissions: Permission[];
}

/** Permissions by area, both in the order in which the server lists them. */
export function groupPermissions(descriptions: Readonly<Record<string, string>>): PermissionGroup[] {
  const groups = new Map<string, Permission[]>();
  for (const [name, description] of Object.entries(descriptions)) {
    const { area, verb } = partsOf(name);
    const group = groups.get(area) ?? [];
    group.push({ name, area, verb, description });
    groups.set(area, group);
  }
  return [...groups].map(([area, permissions]) => ({ area, permissions }));
}

export function partsOf(permission: string): { area: string; verb: string } {
  const at = permission.indexOf(":");
  return at < 0
    ? { area: permission, verb: permission }
    : { area: permission.slice(0, at), verb: permission.slice(at + 1) };
}

/** What of `wanted` somebody with `held` lacks. The server refuses to let anybody hand out more than they have. */
export function lacking(wanted: readonly string[], held: readonly string[]): string[] {
  const mine = new Set(held);
  return wanted.filter((permission) => !mine.has(permission));
}

/** Everything the named roles allow together, sorted. */
export function permissionsOf(
  names: readonly string[],
  roles: readonly { name: string; permissions: readonly string[] }[],
): string[] {
  const granted = roles.filter((role) => names.includes(role.name)).flatMap((role) => role.permissions);
  return [...new Set(granted)].sort();
}

export type Coverage = "all" | "some" | "none";

/** How much of a group is chosen, for a checkbox with three states. */
export function coverage(group: PermissionGroup, chosen: ReadonlySet<string>): Coverage {
  const count = group.permissions.filter((permission) => chosen.has(permission.name)).length;
  if (count === 0) return "none";
  return count === group.permissions.length ? "all" : "some";
}
