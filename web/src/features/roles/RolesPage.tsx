/** Roles: those that come with the product and the tenant's own, and the matrix of who may do what. */
import { Card, Stack, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePermissionList, useRoles } from "../../api/queries";
import { groupPermissions } from "../../session/permissions";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { PermissionMatrix } from "./PermissionMatrix";
import { RoleCards } from "./RoleCards";
import { RoleDrawer } from "./RoleDrawer";

const route = getRouteApi("/roles");

export function RolesPage() {
  const { t } = useTranslation();
  const { role } = route.useSearch();
  const navigate = route.useNavigate();
  const [defining, setDefining] = useState(false);
  const roles = useRoles();
  const permissions = usePermissionList();
  const open = (name: string | undefined) =>
    void navigate({ search: name ? { role: name } : {}, replace: name === undefined, resetScroll: false });
  return (
    <Page
      title={t("roles.title")}
      intro={t("roles.intro")}
      needs="users:read"
      actions={
        <ActionButton
          needs="users:write"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setDefining(true)}
        >
          {t("roles.define")}
        </ActionButton>
      }
    >
      <Loaded query={roles} lines={2} height={132}>
        {(list) => (
          <Loaded query={permissions} lines={2} height={132}>
            {(descriptions) => {
              const groups = groupPermissions(descriptions);
              const shown = list.find((candidate) => candidate.name === role);
              return (
                <Stack gap="lg">
                  <RoleCards roles={list} total={Object.keys(descriptions).length} onOpen={open} />
                  <Card padding={0} visibleFrom="sm">
                    <Title order={2} size="h3" p="md" id="matrix-title">
                      {t("roles.matrix")}
                    </Title>
                    <PermissionMatrix roles={list} groups={groups} />
                  </Card>
                  <RoleDrawer
                    key={defining ? "new" : (shown?.name ?? "closed")}
                    opened={defining || shown !== undefined}
                    role={defining ? undefined : shown}
                    taken={list.map((each) => each.name)}
                    groups={groups}
                    onClose={() => {
                      setDefining(false);
                      open(undefined);
                    }}
                  />
                </Stack>
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
