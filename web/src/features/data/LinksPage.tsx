/** Links between the records of different systems: as a table, and as a small drawing around the one that is chosen. */
import { Button, Card, Group, NativeSelect, Stack, Table, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { useLinkNamespaces, useLinks, useLinksAround } from "../../api/data";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { around, leftOf, type Match, MOST, rightOf } from "./linkModel";

const route = getRouteApi("/data/links");
const [WIDTH, HEIGHT] = [640, 300];

export function LinksPage() {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const namespaces = useLinkNamespaces();
  const namespace = view.namespace ?? namespaces.data?.[0]?.namespace;
  return (
    <Page title={t("data.links")} intro={t("data.links_intro")} needs="data:read">
      <Group justify="space-between">
        <LinkButton to="/data" variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("data.links_back")}
        </LinkButton>
        {(namespaces.data?.length ?? 0) > 0 && (
          <NativeSelect
            aria-label={t("data.links_in")}
            value={namespace ?? ""}
            data={(namespaces.data ?? []).map((each) => ({ value: each.namespace, label: `${each.namespace} (${each.link_count.toLocaleString(formats())})` }))}
            onChange={(event) => void navigate({ search: { namespace: event.currentTarget.value }, replace: true })}
          />
        )}
      </Group>
      <Loaded query={namespaces} lines={4} height={48}>
        {() => (namespace === undefined ? <Notice title={t("data.links_none")}>{t("data.links_none_hint")}</Notice> : <Listed key={namespace} namespace={namespace} record={view.record} />)}
      </Loaded>
    </Page>
  );
}

function Listed({ namespace, record }: { namespace: string; record: string | undefined }) {
  const { t } = useTranslation();
  const query = useLinks(namespace);
  return (
    <Loaded query={query} lines={6} height={48}>
      {({ pages }) => {
        const links = pages.flatMap((page) => page.items);
        return (
          <Stack gap="lg">
            <Card component="section" aria-label={record ? t("data.links_around", { record }) : t("data.links")}>
              {record ? <Around namespace={namespace} record={record} /> : <Text c="dimmed">{t("data.links_choose")}</Text>}
            </Card>
            <Card padding={0}>
              <Table className={rows.table} aria-label={t("data.links")} verticalSpacing="sm" horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("data.links_left")}</Table.Th>
                    <Table.Th>{t("data.links_relation")}</Table.Th>
                    <Table.Th>{t("data.links_right")}</Table.Th>
                    <Table.Th>{t("data.updated")}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {links.map((link) => (
                    <Table.Tr key={link.link_id}>
                      <Table.Td className={rows.main}>
                        <RecordLink namespace={namespace} record={leftOf(link)} />
                      </Table.Td>
                      <Table.Td data-label={t("data.links_relation")}>
                        <code>{link.relation}</code>
                      </Table.Td>
                      <Table.Td data-label={t("data.links_right")}>
                        <RecordLink namespace={namespace} record={rightOf(link)} />
                      </Table.Td>
                      <Table.Td data-label={t("data.updated")} className={rows.narrow}>
                        <When at={link.updated_at} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {query.hasNextPage && (
                <Stack p="md" align="center">
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t("data.more")}
                  </Button>
                </Stack>
              )}
            </Card>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function RecordLink({ namespace, record }: { namespace: string; record: string }) {
  return (
    <TextLink to="/data/links" search={{ namespace, record }} resetScroll={false} style={{ overflowWrap: "anywhere" }}>
      {record}
    </TextLink>
  );
}

const short = (record: string) => (record.length > 26 ? `${record.slice(0, 25)}…` : record);

function Around({ namespace, record }: { namespace: string; record: string }) {
  const { t } = useTranslation();
  const query = useLinksAround(namespace, record);
  return (
    <Loaded query={query} lines={1} height={HEIGHT}>
      {({ matches, next_cursor }) => (
        <>
          <Drawing namespace={namespace} matches={matches} record={record} />
          {matches.length === 0 && <Text c="dimmed">{t("data.links_alone")}</Text>}
          {matches.length > MOST && (
            <Group component="ul" gap="xs" mt="sm" p={0} style={{ listStyle: "none" }} aria-label={t("data.links_besides")}>
              {matches.slice(MOST).map(({ link_id, type, id }) => (
                <li key={link_id}>
                  <RecordLink namespace={namespace} record={`${type}/${id}`} />
                </li>
              ))}
              {next_cursor !== null && <li>…</li>}
            </Group>
          )}
        </>
      )}
    </Loaded>
  );
}

/** One picture with a name; what it shows is in the table below, word for word. */
function Drawing({ namespace, matches, record }: { namespace: string; matches: readonly Match[]; record: string }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const found = around(matches, WIDTH, HEIGHT);
  return (
    <>
      <Title order={2} size="h4" mb="xs" style={{ overflowWrap: "anywhere" }}>
        {t("data.links_around", { record })}
      </Title>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t("data.links_around", { record })} style={{ display: "block", width: "100%", maxWidth: "52rem", marginInline: "auto", font: "12px 'IBM Plex Sans Variable', sans-serif" }}>
        {found.map(({ record: other, relation, x, y, outward }) => (
          <g key={`${other} ${relation} ${String(outward)}`} style={{ cursor: "pointer" }} onClick={() => void navigate({ search: { namespace, record: other }, replace: true, resetScroll: false })}>
            <line x1={WIDTH / 2} y1={HEIGHT / 2} x2={x} y2={y} stroke="var(--line-strong)" strokeWidth={1.5} />
            <text x={(WIDTH / 2 + x) / 2} y={(HEIGHT / 2 + y) / 2 - 4} textAnchor="middle" fill="var(--mantine-color-dimmed)" stroke="var(--surface)" strokeWidth={6} paintOrder="stroke">
              {outward ? `${relation} →` : `← ${relation}`}
            </text>
            <rect x={x - 84} y={y - 14} width={168} height={28} rx={6} fill="var(--surface)" stroke="var(--line-strong)" />
            <text x={x} y={y + 4} textAnchor="middle" fill="var(--mantine-color-text)">
              {short(other)}
            </text>
          </g>
        ))}
        <rect x={WIDTH / 2 - 88} y={HEIGHT / 2 - 17} width={176} height={34} rx={8} fill="var(--mark)" />
        <text x={WIDTH / 2} y={HEIGHT / 2 + 4} textAnchor="middle" fill="var(--surface)" fontWeight={600}>
          {short(record)}
        </text>
      </svg>
    </>
  );
}
