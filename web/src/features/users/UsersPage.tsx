/** Everybody who can act in the tenant: found, added, opened. */
import { Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUsers } from "../../api/queries";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { AddUser } from "./AddUser";
import { findUsers } from "./search";
import { UserDrawer } from "./UserDrawer";
import { UserTable } from "./UserTable";

const route = getRouteApi("/users");

export function UsersPage() {
  const { t } = useTranslation();
  const { user } = route.useSearch();
  const navigate = route.useNavigate();
  const [adding, setAdding] = useState(false);
  const open = (name: string | undefined) =>
    void navigate({ search: name ? { user: name } : {}, replace: name === undefined, resetScroll: false });
  return (
    <Page
      title={t("users.title")}
      intro={t("users.intro")}
      needs="users:read"
      actions={
        <ActionButton
          needs="users:write"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t("users.add")}
        </ActionButton>
      }
    >
      <People onOpen={open} />
      <AddUser opened={adding} onClose={() => setAdding(false)} onAdded={open} />
      <UserDrawer name={user} onClose={() => open(undefined)} />
    </Page>
  );
}

function People({ onOpen }: { onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const query = useUsers();
  const [search, setSearch] = useState("");
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  // The server lists but does not search: whoever searches gets everybody loaded, page by page.
  useEffect(() => {
    if (search !== "" && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [search, hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Card padding={0}>
      <Loaded query={query} lines={6} height={56} inset>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.items);
          const found = findUsers(all, search);
          const count = { found: found.length, total: all.length };
          return (
            <>
              <Group p="md" gap="md" justify="space-between">
                <TextInput
                  aria-label={t("users.search")}
                  placeholder={t("users.search_placeholder")}
                  leftSection={<IconSearch size={16} aria-hidden="true" />}
                  value={search}
                  onChange={(event) => setSearch(event.currentTarget.value)}
                  type="search"
                  style={{ flex: "1 1 18rem", maxWidth: "24rem" }}
                />
                <Text size="sm" c="dimmed" role="status">
                  {search === ""
                    ? t("users.shown", { count: all.length })
                    : t(hasNextPage ? "users.found_so_far" : "users.found", count)}
                </Text>
              </Group>
              {found.length > 0 && <UserTable users={found} onOpen={onOpen} />}
              {found.length === 0 && !hasNextPage && (
                <Notice>{search === "" ? t("users.empty") : t("users.none_found", { search })}</Notice>
              )}
              {hasNextPage && search === "" && (
                <Stack p="md" align="center">
                  <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
                    {t("users.more")}
                  </Button>
                </Stack>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
