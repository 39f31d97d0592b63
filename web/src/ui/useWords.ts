/** Words for what the server names: areas, permissions, built-in roles. Those we do not know keep the server's words. */
import { useTranslation } from "react-i18next";
import type { Role } from "../api/types";

export interface Words {
  area: (area: string) => string;
  permission: (name: string, description: string) => string;
  role: (role: Pick<Role, "name" | "description" | "built_in">) => string;
}

export function useWords(): Words {
  const { i18n } = useTranslation();
  // The names come from the server, so no key can be checked while compiling; `exists` checks it while running.
  const known = (key: string, fallback: string) => (i18n.exists(key) ? (i18n.t as (key: string) => string)(key) : fallback);
  return {
    area: (area) => known(`area.${area}`, area),
    permission: (name, description) => known(`permission.${name}`, description),
    role: (role) => (role.built_in ? known(`builtin_role.${role.name}`, role.description) : role.description),
  };
}
