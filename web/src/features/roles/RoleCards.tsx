/** Every role as a card that can be opened. */
import { Badge, Group, SimpleGrid, Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/types";
import { useWords } from "../../ui/useWords";
import classes from "./RoleCards.module.css";

interface Props {
  roles: readonly Role[];
  total: number;
  onOpen: (name: string) => void;
}

export function RoleCards({ roles, total, onOpen }: Props) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" className={classes.list}>
      {roles.map((role) => (
        <li key={role.name}>
          <UnstyledButton
            className={classes.card}
            aria-label={t("roles.open", { name: role.name })}
            aria-haspopup="dialog"
            onClick={() => onOpen(role.name)}
          >
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <span className={classes.name}>{role.name}</span>
              <Badge color={role.built_in ? "slate" : "ochre"} style={{ flex: "none" }}>
                {t(role.built_in ? "roles.built_in" : "roles.own")}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" className={classes.description}>
              {words.role(role)}
            </Text>
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${(100 * role.permissions.length) / Math.max(total, 1)}%` }} />
            </span>
            <Group justify="space-between" gap="xs" fz="sm">
              <span>{t("roles.permissions_of", { count: role.permissions.length, total })}</span>
              <Text span size="sm" c="dimmed">
                {t("roles.users", { count: role.users })}
              </Text>
            </Group>
          </UnstyledButton>
        </li>
      ))}
    </SimpleGrid>
  );
}
