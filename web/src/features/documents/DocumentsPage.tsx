/** Documents of one type, newest first, narrowed by the address; and the way to make another. */
import { Button, Card, Group, NativeSelect, SegmentedControl, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch, IconX } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes, useDocuments } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import type { ContractInfo, Document } from "../../api/types";
import type { JsonObject } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { NewRows, useSteadyRows } from "../../live/SteadyList";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { type Contract, contractOf } from "./contract";
import { type DocumentFilter, documentFilter } from "./filter";
import { KeptDocumentViews } from "./KeptDocumentViews";
import { StateBadge } from "./StateBadge";
import { hasText, headlineOf } from "./values";
import { useValueWords } from "./Values";

const route = getRouteApi("/documents");

export function DocumentsPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const contracts = useDocumentTypes();
  const filter = route.useSearch();
  const type = filter.type ?? contracts.data?.[0]?.entity_type;
  return (
    <Page
      title={t("documents.title")}
      intro={t("documents.intro")}
      needs="documents:read"
      actions={
        <Group gap="sm">
          <LiveBadge />
          {may("documents:write") && (contracts.data?.length ?? 0) > 0 && (
            <LinkButton to="/documents/new" search={type ? { type } : {}} leftSection={<IconPlus size={16} aria-hidden="true" />}>
              {t("documents.create")}
            </LinkButton>
          )}
        </Group>
      }
    >
      <Loaded query={contracts} lines={6} height={52}>
        {(known) =>
          known.length === 0 || !type ? (
            <Notice title={t("documents.no_types")}>{t("documents.no_types_hint")}</Notice>
          ) : (
            <Listed contracts={known} filter={{ ...filter, type }} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Listed({ contracts, filter }: { contracts: readonly ContractInfo[]; filter: DocumentFilter & { type: string } }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const info = contracts.find((each) => each.entity_type === filter.type);
  const contract = info && contractOf(info);
  const narrow = (next: DocumentFilter) => void navigate({ search: documentFilter({ ...next }), replace: true, resetScroll: false });
  const types = contracts.map((each) => ({ value: each.entity_type, label: contractOf(each).title }));
  return (
    <Card padding={0}>
      <Group p="md" gap="sm" align="flex-end">
        {types.length > 1 && types.length < 5 ? (
          <SegmentedControl
            aria-label={t("documents.type")}
            value={filter.type}
            data={types}
            onChange={(type) => narrow({ type, ...(filter.text && { text: filter.text }) })}
          />
        ) : (
          <NativeSelect
            aria-label={t("documents.type")}
            value={filter.type}
            data={types}
            onChange={(event) => narrow({ type: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={t("documents.state")}
          value={filter.status ?? ""}
          data={[
            { value: "", label: t("documents.state_any") },
            ...(contract?.states ?? []).map(({ name, title }) => ({ value: name, label: title })),
          ]}
          onChange={(event) => narrow({ ...filter, status: event.currentTarget.value })}
          w={{ base: "100%", xs: "11rem" }}
        />
        <TextFilter filter={filter} onChange={narrow} />
        <KeptDocumentViews filter={filter} />
        {(filter.status ?? filter.text) !== undefined && (
          <Button
            variant="subtle"
            leftSection={<IconX size={16} aria-hidden="true" />}
            onClick={() => narrow({ type: filter.type })}
          >
            {t("audit.clear_filter")}
          </Button>
        )}
      </Group>
      <List filter={filter} contract={contract} />
    </Card>
  );
}

function TextFilter({ filter, onChange }: { filter: DocumentFilter; onChange: (filter: DocumentFilter) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(filter.text ?? "");
  const [shown, setShown] = useState(filter.text);
  // The address can change without this field.
  if (shown !== filter.text) {
    setShown(filter.text);
    if ((filter.text ?? "") !== text.trim()) setText(filter.text ?? "");
  }
  const narrow = useDebouncedCallback((words: string) => onChange({ ...filter, text: words }), 200);
  return (
    <TextInput
      aria-label={t("documents.text_filter")}
      placeholder={t("documents.text_placeholder")}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        narrow(event.currentTarget.value);
      }}
      style={{ flex: "1 1 12rem", maxWidth: "20rem" }}
    />
  );
}

function List({ filter, contract }: { filter: DocumentFilter & { type: string }; contract: Contract | undefined }) {
  const { t } = useTranslation();
  const query = useDocuments(filter, useFresh(["documents"]));
  return (
    <Loaded query={query} lines={8} height={44} inset>
      {({ pages }) => {
        const loaded = pages.flatMap((page) => page.items);
        const found = loaded.filter(({ data }) => hasText(data as JsonObject, filter.text ?? ""));
        const more = filter.text && query.hasNextPage && found.length < ENOUGH;
        if (found.length === 0) {
          if (more) return <SearchOn loaded={loaded.length} busy={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />;
          return filter.status || filter.text ? (
            <Notice>{t(query.hasNextPage ? "documents.none_so_far" : "documents.none_match")}</Notice>
          ) : (
            <Notice title={t("documents.empty")}>{t("documents.empty_hint")}</Notice>
          );
        }
        return (
          <>
            <DocumentTable documents={found} contract={contract} about={JSON.stringify(filter)} former={query.isPlaceholderData} />
            {more && <SearchOn loaded={loaded.length} busy={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />}
            {query.hasNextPage && !more && (
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

/** So many found are a page; so many looked through without finding them are enough. */
const ENOUGH = 50;
const FARTHEST = 5_000;

/** Goes on through what is not loaded yet: only what this person may read is searched, as it is what they are sent. */
function SearchOn({ loaded, busy, onMore }: { loaded: number; busy: boolean; onMore: () => void }) {
  const { t } = useTranslation();
  const on = loaded < FARTHEST;
  useEffect(() => {
    if (on && !busy) onMore();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each page that came
  }, [loaded, busy, on]);
  return (
    <Text c="dimmed" p="md" ta="center" role="status">
      {t(on ? "documents.searching" : "documents.searched", { count: loaded })}
    </Text>
  );
}

const idOf = (document: Document) => document.id;

interface TableProps {
  documents: readonly Document[];
  contract: Contract | undefined;
  about: string;
  /** Still what was listed before the filter changed. */
  former: boolean;
}

function DocumentTable({ documents, contract, about, former }: TableProps) {
  const { t } = useTranslation();
  const words = useValueWords();
  const steady = useSteadyRows(documents, idOf, about, former);
  return (
    <>
      {steady.waiting.length > 0 && (
        <Group justify="center" pb="sm">
          <NewRows count={steady.waiting.length} onShow={steady.renew} />
        </Group>
      )}
      <Table className={rows.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("documents.document")}</Table.Th>
            <Table.Th ta="right">{t("documents.amount")}</Table.Th>
            <Table.Th>{t("documents.state")}</Table.Th>
            <Table.Th>{t("documents.version")}</Table.Th>
            <Table.Th>{t("documents.made_by")}</Table.Th>
            <Table.Th>{t("documents.changed")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steady.shown.map((document) => {
            const head = headlineOf(contract?.schema ?? {}, document.data as JsonObject, words);
            return (
              <Table.Tr key={document.id} data-gone={steady.gone.has(document.id) || undefined}>
                <Table.Td className={rows.main}>
                  <TextLink to="/documents/$documentId" params={{ documentId: document.id }} fw={500}>
                    {head.name ?? document.id}
                  </TextLink>
                  {head.about && (
                    <Text size="xs" c="dimmed">
                      {head.about}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-label={t("documents.amount")} className={head.amount ? rows.narrow : rows.minor} ta={{ md: "right" }}>
                  {head.amount ?? "–"}
                </Table.Td>
                <Table.Td data-label={t("documents.state")} className={rows.narrow}>
                  <StateBadge contract={contract} status={document.doc_status} />
                </Table.Td>
                <Table.Td data-label={t("documents.version")} className={rows.minor}>
                  {document.entity_version}
                </Table.Td>
                <Table.Td data-label={t("documents.made_by")} className={rows.narrow}>
                  {actorName(document.created_by).name}
                </Table.Td>
                <Table.Td data-label={t("documents.changed")} className={rows.narrow}>
                  <When at={document.updated_at} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </>
  );
}
