/** Past documents through a draft: how many would go another way, where they part and why, and exactly which they are. */
import { Button, Card, Group, Modal, NativeSelect, Progress, Stack, Table, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCancelWhatIf, useDraftCompiled, useReplay, useStartWhatIf, useWhatIf, useWhatIfDocuments, useWhatIfGroups, type WhatIf as Found } from "../api/definitions";
import { useContract } from "../api/documents";
import { useCompiled } from "../api/processes";
import type { components } from "../api/schema";
import type { CompiledWorkflow } from "../canvas/compiled";
import { graphOf } from "../canvas/graph";
import { contractOf } from "../features/documents/contract";
import { StateBadge } from "../features/documents/StateBadge";
import { useValueWords } from "../features/documents/Values";
import { headlineOf } from "../features/documents/values";
import type { Json } from "../json/json";
import { Facts } from "../ui/Facts";
import { TextLink } from "../ui/LinkButton";
import { Loaded } from "../ui/Loaded";
import { Notice } from "../ui/Notice";
import { ProblemAlert } from "../ui/ProblemAlert";
import rows from "../ui/RowTable.module.css";
import { When } from "../ui/When";
import { BuilderCanvas } from "./BuilderCanvas";
import classes from "./Builder.module.css";
import { Legend, NONE, NOTHING } from "./Changes";
import { together, waysApart } from "./model/together";

const SIZES = ["100", "1000", "10000", "100000"];

interface Props {
  id: string;
  revision: number;
  ready: boolean;
  states: readonly string[];
  /** The replay that is looked at, and the group of it that is open. */
  run: string | undefined;
  group: string | undefined;
  onOpen: (run: string, group?: string) => void;
}

export function WhatIf({ id, revision, ready, states, run, group, onOpen }: Props) {
  const { t, i18n } = useTranslation();
  const start = useStartWhatIf();
  const [most, setMost] = useState("1000");
  const [state, setState] = useState("");
  const [since, setSince] = useState("");
  const query = useWhatIf(run ?? null);
  if (!ready) return <Notice>{t("builder.whole_unready")}</Notice>;
  const begin = () => {
    const documents = { ...(state !== "" && { doc_status: state }), ...(since !== "" && { created_after: new Date(`${since}T00:00`).toISOString() }) };
    start.mutate({ definition_id: id, most: Number(most), documents }, { onSuccess: (made) => onOpen(made.id) });
  };
  return (
    <Stack gap="md">
      <Card padding="md">
        <Text mb="sm">{t("builder.what_if_intro")}</Text>
        <Group align="flex-end">
          <NativeSelect label={t("builder.what_if_most")} data={SIZES.map((value) => ({ value, label: new Intl.NumberFormat(i18n.language).format(Number(value)) }))} value={most} onChange={(event) => setMost(event.currentTarget.value)} />
          <NativeSelect label={t("builder.what_if_state")} data={[{ value: "", label: t("builder.what_if_any_state") }, ...states]} value={state} onChange={(event) => setState(event.currentTarget.value)} />
          <TextInput label={t("builder.what_if_since")} type="date" value={since} onChange={(event) => setSince(event.currentTarget.value)} />
          <Button loading={start.isPending} onClick={begin}>
            {t("builder.what_if_start")}
          </Button>
        </Group>
        {start.isError && <ProblemAlert error={start.error} />}
      </Card>
      {run !== undefined && (
        <Loaded query={query} lines={2}>
          {(found) => <Result found={found} revision={revision} group={group} onGroup={(next) => onOpen(found.id, next)} />}
        </Loaded>
      )}
    </Stack>
  );
}

/** What a step is called, in the draft or in what was in force. */
const nodeName = (id: string | null | undefined, ...compiled: readonly (CompiledWorkflow | null | undefined)[]): string =>
  (id && compiled.map((each) => each?.nodes_by_id[id]?.name).find((name) => name !== undefined && name !== "")) ?? id?.split(":").at(-1) ?? "";
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);

function Result({ found, revision, group: chosen, onGroup }: { found: Found; revision: number; group: string | undefined; onGroup: (group: string | undefined) => void }) {
  const { t, i18n } = useTranslation();
  const cancel = useCancelWhatIf();
  const groups = useWhatIfGroups(found.id, found.replayed);
  const after = useDraftCompiled(found.definition_id ?? "", revision, found.definition_id !== null);
  const before = useCompiled(found.before_id);
  const named = (id: string | null | undefined) => nodeName(id, after.data, before.data);
  const share = found.total ? (found.replayed / found.total) * 100 : 0;
  const count = (number: number) => new Intl.NumberFormat(i18n.language).format(number);
  const ended = found.finished_at !== null;
  return (
    <Card padding="md">
      <Group justify="space-between" mb="xs">
        <Text fw={500} role="status">
          {t("builder.what_if_changed", { changed: count(found.changed), replayed: count(found.replayed) })}
          {found.revision !== revision && (
            <Text span c="dimmed" size="sm">
              {" "}
              {t("builder.what_if_older")}
            </Text>
          )}
        </Text>
        {!ended && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(found.id)}>
            {t("common.cancel")}
          </Button>
        )}
      </Group>
      {!ended && <Progress value={share} aria-label={t("builder.what_if_progress")} animated mb="sm" />}
      {found.status === "cancelled" && <Text c="dimmed">{t("builder.what_if_cancelled")}</Text>}
      {found.error && <Text c="var(--bad)">{found.error}</Text>}
      <Loaded query={groups} lines={2}>
        {(all) =>
          all.length === 0 && ended ? (
            <Text c="dimmed">{t("builder.what_if_same")}</Text>
          ) : (
            <Stack gap={4}>
              {all.map(({ id, documents, parting }) => (
                <div key={id}>
                  <UnstyledButton className={classes.problem} aria-expanded={chosen === id} onClick={() => onGroup(chosen === id ? undefined : id)}>
                    <span>
                      <strong>{count(documents)}</strong>{" "}
                      {t(`builder.parting_${parting.kind}`, { node: named(parting.node), count: documents })}
                      {parting.kind === "parting" && <>: {t("builder.parting_from_to", { before: texts(parting.before).map(named).join(", "), after: texts(parting.after).map(named).join(", ") })}</>}
                    </span>
                    {parting.error && (
                      <Text size="xs" c="dimmed" component="span" lang="en">
                        {parting.error}
                      </Text>
                    )}
                    {[...texts(parting.example.before), ...texts(parting.example.after)].map((because) => (
                      <Text key={because} size="xs" c="dimmed" component="span" lang="en">
                        {t("builder.for_example", { because })}
                      </Text>
                    ))}
                  </UnstyledButton>
                  {chosen === id && <Documents whatIf={found} group={id} revision={revision} />}
                </div>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

function Documents({ whatIf, group, revision }: { whatIf: Found; group: string; revision: number }) {
  const { t } = useTranslation();
  const query = useWhatIfDocuments(whatIf.id, group);
  const words = useValueWords();
  const info = useContract(whatIf.entity_type);
  const contract = useMemo(() => info && contractOf(info), [info]);
  /** By what people call it. */
  const nameOf = ({ document_id, headline = [] }: Replayed) => {
    const data = Object.fromEntries(headline.map(({ name, value }) => [name, value as Json]));
    return headlineOf(contract?.schema ?? {}, data, words).name ?? `…${document_id.slice(-8)}`;
  };
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Loaded query={query} lines={3} inset>
      {({ pages }) => (
        <>
          <Table className={rows.table} aria-label={t("builder.what_if_documents")}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("builder.document")}</Table.Th>
                <Table.Th>{t("builder.what_if_state")}</Table.Th>
                <Table.Th>{t("builder.what_if_created")}</Table.Th>
                <Table.Th>{t("builder.what_if_why")}</Table.Th>
                <Table.Th>
                  <span className={classes.unseen}>{t("builder.two_ways")}</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {pages
                .flatMap(({ items }) => items)
                .map((each) => (
                  <Table.Tr key={each.document_id}>
                    <Table.Td className={rows.main} data-label={t("builder.document")}>
                      <TextLink to="/documents/$documentId" params={{ documentId: each.document_id }}>
                        {nameOf(each)}
                      </TextLink>
                    </Table.Td>
                    <Table.Td data-label={t("builder.what_if_state")}>{each.doc_status !== null && <StateBadge contract={contract} status={each.doc_status} />}</Table.Td>
                    <Table.Td data-label={t("builder.what_if_created")}>
                      <When at={each.created_at} />
                    </Table.Td>
                    <Table.Td data-label={t("builder.what_if_why")} lang="en">
                      {texts(each.because.after)[0] ?? "—"}
                    </Table.Td>
                    <Table.Td>
                      <Button size="compact-xs" variant="default" onClick={() => setShown(each.document_id)}>
                        {t("builder.two_ways")}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
          {query.hasNextPage && (
            <Button size="xs" variant="default" mt="sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t("documents.more")}
            </Button>
          )}
          {shown !== null && <TwoWays whatIf={whatIf} document={shown} revision={revision} onClose={() => setShown(null)} />}
        </>
      )}
    </Loaded>
  );
}

/** How one document went and how it would go, on one drawing. */
function TwoWays({ whatIf, document, revision, onClose }: { whatIf: Found; document: string; revision: number; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useReplay(whatIf.id, document);
  const after = useDraftCompiled(whatIf.definition_id ?? "", revision, whatIf.definition_id !== null);
  const before = useCompiled(whatIf.before_id);
  const drawn = useMemo(() => (after.data ? together(before.data ?? null, after.data) : null), [after.data, before.data]);
  const graph = useMemo(() => (drawn ? graphOf(drawn) : null), [drawn]);
  const marked = useMemo(() => (drawn && query.data ? waysApart(drawn, steps(query.data.before?.steps), steps(query.data.after?.steps)) : new Map<string, never>()), [drawn, query.data]);
  return (
    <Modal opened onClose={onClose} size="min(1200px, 95vw)" title={t("builder.two_ways")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Loaded query={query} lines={3}>
        {(replay) => (
          <Stack gap="sm">
            <Legend words={[["removed", t("builder.way_before")], ["added", t("builder.way_after")]]} />
            {graph && <BuilderCanvas graph={graph} label={t("builder.two_ways")} selection={null} also={NONE} marked={marked} readOnly refusal={() => null} commands={NOTHING} height={420} />}
            <Facts
              facts={[
                [t("builder.way_before"), <span key="before" lang="en">{[replay.before?.doc_status ?? replay.before?.status, ...(replay.parting?.before_because ?? [])].filter(Boolean).join(" · ")}</span>],
                [t("builder.way_after"), <span key="after" lang="en">{[replay.after?.doc_status ?? replay.after?.status, ...(replay.parting?.after_because ?? [])].filter(Boolean).join(" · ")}</span>],
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

type Replayed = components["schemas"]["ReplayedDocument"];

const steps = (given: unknown): readonly (readonly [string, string])[] =>
  Array.isArray(given) ? given.flatMap((each: unknown) => (Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string" ? [[each[0], each[1]] as const] : [])) : [];
