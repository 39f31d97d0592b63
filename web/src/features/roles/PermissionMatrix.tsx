/** Permissions down, roles across. A sign is never only a colour: it has a shape, and a word for those who listen. */
import { VisuallyHidden } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/types";
import type { PermissionGroup } from "../../session/permissions";
import { useWords } from "../../ui/useWords";
import classes from "./PermissionMatrix.module.css";

interface Props {
  roles: readonly Role[];
  groups: readonly PermissionGroup[];
}

export function PermissionMatrix({ roles, groups }: Props) {
  const { t } = useTranslation();
  const words = useWords();
  const holds = new Map(roles.map((role) => [role.name, new Set(role.permissions)]));
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-labelledby="matrix-title">
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">{t("roles.permission")}</th>
            {roles.map((role) => (
              <th key={role.name} scope="col">
                <span className={classes.role}>{role.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group.area}>
              <tr className={classes.area}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {words.area(group.area)}
                </th>
              </tr>
              {group.permissions.map(({ name, verb, description }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{verb}</code>
                    <span className={classes.description}>{words.permission(name, description)}</span>
                  </th>
                  {roles.map((role) => {
                    const granted = holds.get(role.name)?.has(name) ?? false;
                    return (
                      <td key={role.name} data-granted={granted || undefined}>
                        <span className={classes.sign} aria-hidden="true" />
                        <VisuallyHidden>{t(granted ? "roles.granted" : "roles.not_granted")}</VisuallyHidden>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
