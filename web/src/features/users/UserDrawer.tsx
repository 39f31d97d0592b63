/** One user: details to change, roles to grant and revoke, and the switch that takes every access away. */
import { Badge, Divider, Drawer, Group, Stack, Title } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSetRole } from "../../api/administration";
import { useUsers } from "../../api/queries";
import type { User } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { Facts } from "../../ui/Facts";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Person } from "../../ui/Person";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { ActiveSwitch } from "./ActiveSwitch";
import { RoleChoice } from "./RoleChoice";
import { UserDetails } from "./UserDetails";

interface Props {
  name: string | undefined;
  onClose: () => void;
}

export function UserDrawer({ name, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={name !== undefined}
      onClose={onClose}
      title={name ?? ""}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {name !== undefined && <Wanted name={name} />}
    </Drawer>
  );
}

/** The user may be on a page of the list that is not loaded yet: then the list is loaded on until it is found. */
function Wanted({ name }: { name: string }) {
  const { t } = useTranslation();
  const query = useUsers();
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const found = query.data?.pages.flatMap((page) => page.items).find((user) => user.name === name);
  const missing = query.data !== undefined && !found;
  useEffect(() => {
    if (missing && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [missing, hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Loaded query={query} lines={6}>
      {() => {
        if (found) return <Details key={found.user_id} user={found} />;
        return hasNextPage ? null : <Notice>{t("users.missing", { name })}</Notice>;
      }}
    </Loaded>
  );
}

function Details({ user }: { user: User }) {
  const { t } = useTranslation();
  const { may, me } = useSignedIn();
  const setRole = useSetRole();
  const inactive = user.deactivated_at !== null;
  return (
    <Stack gap="lg">
      <Group justify="space-between" wrap="nowrap">
        <Person
          name={user.name}
          displayName={user.display_name}
          kind={user.kind}
          inactive={inactive}
          note={user.name === me.name ? t("users.you") : undefined}
        />
        <Badge color={inactive ? "slate" : "kelp"}>{t(inactive ? "users.deactivated" : "users.active")}</Badge>
      </Group>
      <Facts
        facts={[
          [t("users.kind"), t(`users.kind_${user.kind}`)],
          [t("users.created"), <When key="created" at={user.created_at} as="exact" />],
          user.deactivated_at && [t("users.deactivated"), <When key="off" at={user.deactivated_at} as="exact" />],
        ]}
      />
      <Group gap="xs">
        {may("audit:read") && (
          <LinkButton to="/audit" search={{ object: user.user_id }} variant="default" size="xs">
            {t("users.timeline")}
          </LinkButton>
        )}
        {(may("tokens:read") || user.name === me.name) && (
          <LinkButton to="/tokens" search={{ user: user.name }} variant="default" size="xs">
            {t("users.tokens")}
          </LinkButton>
        )}
      </Group>
      <Divider />
      <UserDetails user={user} />
      <Divider />
      <section aria-labelledby="user-roles">
        <Title order={3} id="user-roles" mb="sm">
          {t("users.roles")}
        </Title>
        <Stack gap="sm">
          {setRole.isError && <ProblemAlert error={setRole.error} />}
          <RoleChoice
            held={user.roles}
            onChange={(role, granted) => setRole.mutate({ name: user.name, role, granted })}
          />
        </Stack>
      </section>
      <Divider />
      <ActiveSwitch user={user} />
    </Stack>
  );
}
