/** Users as rows; on a narrow screen, addresses and states move under the name. */
import { Badge, Group, Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { User } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { Person } from "../../ui/Person";
import classes from "./UserTable.module.css";

interface Props {
  users: readonly User[];
  onOpen: (name: string) => void;
}

export function UserTable({ users, onOpen }: Props) {
  const { t } = useTranslation();
  const { me } = useSignedIn();
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("users.person")}</Table.Th>
          <Table.Th visibleFrom="md">{t("users.email")}</Table.Th>
          <Table.Th visibleFrom="xs">{t("users.roles")}</Table.Th>
          <Table.Th visibleFrom="sm">{t("users.state")}</Table.Th>
          <Table.Th aria-hidden="true" w={40} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {users.map((user) => {
          const inactive = user.deactivated_at !== null;
          return (
            <Table.Tr key={user.user_id} data-inactive={inactive || undefined}>
              <Table.Td>
                <UnstyledButton
                  className={classes.open}
                  onClick={() => onOpen(user.name)}
                  aria-label={t("users.open", { name: user.name })}
                  aria-haspopup="dialog"
                >
                  <Person
                    name={user.name}
                    displayName={user.display_name}
                    kind={user.kind}
                    inactive={inactive}
                    note={user.name === me.name ? t("users.you") : undefined}
                  />
                </UnstyledButton>
                <Group gap={6} mt={6} pl={48} hiddenFrom="xs">
                  <Roles roles={user.roles} />
                  {inactive && <State inactive />}
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="md" className={classes.email}>
                {user.email ?? (
                  <Text span size="sm" c="dimmed">
                    {t("users.no_email")}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="xs">
                <Group gap={6}>
                  <Roles roles={user.roles} />
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <State inactive={inactive} />
              </Table.Td>
              <Table.Td aria-hidden="true">
                <IconChevronRight size={18} className={classes.chevron} />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function Roles({ roles }: { roles: readonly string[] }) {
  const { t } = useTranslation();
  if (roles.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        {t("users.no_roles")}
      </Text>
    );
  }
  return roles.map((role) => (
    <Badge key={role} color={role === "admin" ? "ochre" : "kelp"}>
      {role}
    </Badge>
  ));
}

function State({ inactive }: { inactive: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={classes.state} data-inactive={inactive || undefined}>
      {t(inactive ? "users.deactivated" : "users.active")}
    </span>
  );
}
