/** The sessions, newest first: which wait for somebody, which are at work, and how the others ended. */
import { Button, Card, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type SessionInfo, useSessionDefinitions, useSessions } from "../../api/sessions";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import table from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { NewRows, useSteadyRows } from "../../live/SteadyList";
import { actorName } from "../audit/actor";
import { SESSION_STATUSES, type SessionFilter, sessionFilter } from "./filter";
import { SessionBadge } from "./SessionBadge";

const route = getRouteApi("/sessions");

export function SessionsPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const definitions = useSessionDefinitions();
  const query = useSessions(filter);
  const narrow = (next: object) => void navigate({ search: sessionFilter({ ...filter, ...next }), replace: true, resetScroll: false });
  return (
    <Page
      title={t("sessions.title")}
      intro={t("sessions.intro")}
      needs="sessions:read"
      actions={
        may("sessions:write") && (
          <LinkButton to="/sessions/new" search={filter.workflow ? { workflow: filter.workflow } : {}}>
            {t("sessions.start")}
          </LinkButton>
        )
      }
    >
      <Card padding={0}>
        <Group p="md" gap="sm">
          <NativeSelect
            aria-label={t("sessions.status")}
            value={filter.status ?? ""}
            data={[{ value: "", label: t("sessions.status_any") }, ...SESSION_STATUSES.map((value) => ({ value, label: t(`sessions.status_${value}`) }))]}
            onChange={(event) => narrow({ status: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={t("sessions.definition")}
            value={filter.workflow ?? ""}
            data={[{ value: "", label: t("sessions.definition_any") }, ...(definitions.data ?? []).map(({ name, display_name }) => ({ value: name, label: display_name || name }))]}
            onChange={(event) => narrow({ workflow: event.currentTarget.value })}
          />
        </Group>
        <Loaded query={query} lines={5} height={52} inset>
          {({ pages }) => (
            <Rows sessions={pages.flatMap((page) => page.items)} filter={filter} former={query.isPlaceholderData} />
          )}
        </Loaded>
        {query.hasNextPage && (
          <Stack p="md" align="center">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t("sessions.more")}
            </Button>
          </Stack>
        )}
      </Card>
    </Page>
  );
}

const keyOf = (session: SessionInfo) => session.id;

function Rows({ sessions, filter, former }: { sessions: readonly SessionInfo[]; filter: SessionFilter; former: boolean }) {
  const { t } = useTranslation();
  const { shown, waiting, renew } = useSteadyRows(sessions, keyOf, JSON.stringify(filter), former);
  if (shown.length === 0 && waiting.length === 0) {
    return filter.status || filter.workflow ? <Notice>{t("sessions.empty_filtered")}</Notice> : <Notice title={t("sessions.empty")}>{t("sessions.empty_hint")}</Notice>;
  }
  return (
    <>
      <NewRows count={waiting.length} onShow={renew} />
      <Table className={table.table} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("sessions.one")}</Table.Th>
            <Table.Th>{t("sessions.status")}</Table.Th>
            <Table.Th>{t("sessions.by")}</Table.Th>
            <Table.Th>{t("sessions.started")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td className={table.main}>
                <TextLink to="/sessions/$sessionName" params={{ sessionName: session.session_name }} fw={500}>
                  {session.session_name}
                </TextLink>
                <Text size="xs" c="dimmed">
                  {session.workflow_name}
                </Text>
              </Table.Td>
              <Table.Td data-label={t("sessions.status")} className={table.narrow}>
                <SessionBadge status={session.status} />
              </Table.Td>
              <Table.Td data-label={t("sessions.by")} className={table.narrow}>
                {actorName(session.created_by).name}
              </Table.Td>
              <Table.Td data-label={t("sessions.started")} className={table.narrow}>
                <When at={session.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
