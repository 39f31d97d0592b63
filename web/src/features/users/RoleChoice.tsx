/** Roles to tick for a user. Those that allow more than one may oneself stay locked, with the reason. */
import { Checkbox, Stack, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePermissionList, useRoles } from "../../api/queries";
import { lacking } from "../../session/permissions";
import { useSignedIn } from "../../session/SignedIn";
import { Loaded } from "../../ui/Loaded";

interface Props {
  held: readonly string[];
  onChange: (role: string, granted: boolean) => void;
}

export function RoleChoice({ held, onChange }: Props) {
  const { t } = useTranslation();
  const { me, may } = useSignedIn();
  const roles = useRoles();
  const all = usePermissionList();
  const total = all.data ? Object.keys(all.data).length : "…";
  return (
    <Loaded query={roles} lines={5} height={40}>
      {(list) => (
        <Stack gap="sm">
          {list.map((role) => {
            const lacks = lacking(role.permissions, me.permissions);
            const checked = held.includes(role.name);
            // Taking a role away needs no more than users:write; handing it out needs all that it allows.
            const reason = !may("users:write")
              ? t("common.needs_permission", { permission: "users:write" })
              : !checked && lacks.length > 0
                ? t("users.role_lacking", { permissions: lacks.join(", ") })
                : null;
            return (
              <Tooltip key={role.name} label={reason} disabled={reason === null} position="top-start">
                <div>
                  <Checkbox
                    label={role.name}
                    description={
                      reason ?? t("users.role_count", { count: role.permissions.length, total })
                    }
                    checked={checked}
                    disabled={reason !== null}
                    onChange={(event) => onChange(role.name, event.currentTarget.checked)}
                  />
                </div>
              </Tooltip>
            );
          })}
        </Stack>
      )}
    </Loaded>
  );
}
