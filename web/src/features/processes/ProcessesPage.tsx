/** Processes, newest first; those that are stuck are said above everything else. */
import { Alert, Badge, Button, Card, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useContracts } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { useProcesses, useStuck } from "../../api/processes";
import type { Instance } from "../../api/types";
import { spoken } from "../../forms/schema";
import type { Json } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import rows from "../../ui/RowTable.module.css";
import { StuckWhy } from "../../ui/StuckWhy";
import { When } from "../../ui/When";
import { shortId } from "../audit/sentence";
import { contractOf } from "../documents/contract";
import { headlineOf } from "../documents/values";
import { useValueWords } from "../documents/Values";
import { PROCESS_STATUSES, type ProcessFilter, processFilter } from "./filter";
import { restingNodes } from "./moments";
import { ProcessBadge } from "./ProcessBadge";

const route = getRouteApi("/processes");

export function ProcessesPage() {
  const { t } = useTranslation();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const contracts = useContracts();
  const every = useFresh(["processes"]);
  const stuck = useStuck(every);
  const narrow = (next: ProcessFilter) => void navigate({ search: processFilter({ ...next }), replace: true, resetScroll: false });
  return (
    <Page title={t("processes.title")} intro={t("processes.intro")} needs="processes:read" actions={<LiveBadge />}>
      {(stuck.data?.length ?? 0) > 0 && !filter.stuck && (
        <Alert color="ochre" icon={<IconAlertTriangle aria-hidden="true" />} title={t("processes.stuck_count", { count: stuck.data?.length ?? 0 })}>
          <LinkButton to="/processes" search={{ stuck: true }} size="xs" variant="default" mt={4}>
            {t("processes.show_stuck")}
          </LinkButton>
        </Alert>
      )}
      {filter.stuck ? (
        <Stuck onAll={() => narrow({})} />
      ) : (
        <Card padding={0}>
          <Group p="md" gap="sm">
            <NativeSelect
              aria-label={t("processes.status")}
              value={filter.status ?? ""}
              data={[
                { value: "", label: t("processes.status_any") },
                ...PROCESS_STATUSES.map((status) => ({ value: status, label: t(`processes.status_${status}`) })),
              ]}
              onChange={(event) => narrow(processFilter({ ...filter, status: event.currentTarget.value }))}
            />
            <NativeSelect
              aria-label={t("processes.workflow")}
              value={filter.workflow ?? ""}
              data={[
                { value: "", label: t("processes.workflow_any") },
                ...(contracts.data ?? []).map((info) => ({ value: info.entity_type, label: contractOf(info).title })),
              ]}
              onChange={(event) => narrow(processFilter({ ...filter, workflow: event.currentTarget.value }))}
            />
          </Group>
          <List filter={filter} every={every} />
        </Card>
      )}
    </Page>
  );
}

function Stuck({ onAll }: { onAll: () => void }) {
  const { t } = useTranslation();
  const query = useStuck(false);
  return (
    <Card padding={0}>
      <Group p="md">
        <Button variant="subtle" onClick={onAll}>
          {t("processes.show_all")}
        </Button>
      </Group>
      <Loaded query={query} lines={4} inset>
        {(found) =>
          found.length === 0 ? (
            <Notice title={t("processes.none_stuck")}>{t("processes.none_stuck_hint")}</Notice>
          ) : (
            <Table className={rows.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("processes.process")}</Table.Th>
                  <Table.Th>{t("processes.why")}</Table.Th>
                  <Table.Th>{t("processes.since")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map((each) => (
                  <Table.Tr key={each.instance_id}>
                    <Table.Td className={rows.main}>
                      <TextLink to="/processes/$instanceId" params={{ instanceId: each.instance_id }} fw={500}>
                        {spoken(each.workflow_id)} {shortId(each.instance_id)}
                      </TextLink>
                    </Table.Td>
                    <Table.Td data-label={t("processes.why")}>
                      <StuckWhy reasons={each.reasons ?? []} why={each.why} />
                    </Table.Td>
                    <Table.Td data-label={t("processes.since")} className={rows.narrow}>
                      <When at={each.since} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Card>
  );
}

function List({ filter, every }: { filter: ProcessFilter; every: number | false }) {
  const { t } = useTranslation();
  const query = useProcesses(filter, every);
  return (
    <Loaded query={query} lines={8} height={44} inset>
      {({ pages }) => {
        const found = pages.flatMap((page) => page.items);
        if (found.length === 0) {
          return <Notice title={t(filter.status || filter.workflow ? "processes.none_match" : "processes.empty")}>{t("processes.empty_hint")}</Notice>;
        }
        return (
          <>
            <InstanceTable instances={found} />
            {query.hasNextPage && (
              <Stack p="md" align="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t("documents.more")}
                </Button>
              </Stack>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const { t } = useTranslation();
  const words = useValueWords();
  const contracts = useContracts();
  const about = (instance: Instance) => {
    const info = contracts.data?.find(({ entity_type }) => entity_type === instance.entity_type);
    const data = Object.fromEntries((instance.headline ?? []).map(({ name, value }) => [name, value as Json]));
    const contract = info && contractOf(info);
    const head = contract && headlineOf(contract.schema, data, words);
    return { title: [contract?.title ?? spoken(instance.workflow_id), head?.name].filter(Boolean).join(" "), more: [head?.amount, head?.about].filter(Boolean).join(" · ") };
  };
  return (
    <Table className={rows.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("processes.process")}</Table.Th>
          <Table.Th>{t("processes.status")}</Table.Th>
          <Table.Th>{t("processes.at")}</Table.Th>
          <Table.Th>{t("processes.started")}</Table.Th>
          <Table.Th>{t("documents.changed")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {instances.map((instance) => (
          <Table.Tr key={instance.id}>
            <Table.Td className={rows.main}>
              <TextLink to="/processes/$instanceId" params={{ instanceId: instance.id }} fw={500}>
                {about(instance).title}
              </TextLink>
              <Text size="xs" c="dimmed">
                {about(instance).more === "" ? <code>{shortId(instance.id)}</code> : about(instance).more}
                {instance.document_id && ` · ${t("documents.version_n", { version: instance.entity_version })}`}
              </Text>
            </Table.Td>
            <Table.Td data-label={t("processes.status")} className={rows.narrow}>
              <ProcessBadge instance={instance} />
            </Table.Td>
            <Table.Td data-label={t("processes.at")}>
              <Group gap={4}>
                {restingNodes(instance).map((node) => (
                  <Badge key={node} color="slate">
                    {nodeName(node)}
                  </Badge>
                ))}
              </Group>
            </Table.Td>
            <Table.Td data-label={t("processes.started")} className={rows.narrow}>
              <When at={instance.started_at} />
            </Table.Td>
            <Table.Td data-label={t("documents.changed")} className={rows.minor}>
              <When at={instance.updated_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** `usr:slot:submitted_to_approved:two_of_finance` as people say it. */
function nodeName(node: string): string {
  return spoken(node.split(":").at(-1) ?? node);
}
