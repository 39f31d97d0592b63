/** Past documents through a draft: how many would go another way, where they part and why, and exactly which they are. */
import { Button, Card, Group, NativeSelect, Progress, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCancelWhatIf, useStartWhatIf, useWhatIf, useWhatIfDocuments, useWhatIfGroups, type WhatIf as Found } from "../api/definitions";
import { TextLink } from "../ui/LinkButton";
import { Loaded } from "../ui/Loaded";
import { Notice } from "../ui/Notice";
import { ProblemAlert } from "../ui/ProblemAlert";
import rows from "../ui/RowTable.module.css";
import { When } from "../ui/When";
import classes from "./Builder.module.css";

const SIZES = ["100", "1000", "10000", "100000"];

export function WhatIf({ id, ready }: { id: string; ready: boolean }) {
  const { t } = useTranslation();
  const start = useStartWhatIf();
  const [running, setRunning] = useState<string | null>(null);
  const [most, setMost] = useState("1000");
  const query = useWhatIf(running);
  if (!ready) return <Notice>{t("builder.whole_unready")}</Notice>;
  return (
    <Stack gap="md">
      <Card padding="md">
        <Text mb="sm">{t("builder.what_if_intro")}</Text>
        <Group align="flex-end">
          <NativeSelect label={t("builder.what_if_most")} data={SIZES} value={most} onChange={(event) => setMost(event.currentTarget.value)} />
          <Button loading={start.isPending} onClick={() => start.mutate({ definition_id: id, most: Number(most) }, { onSuccess: (made) => setRunning(made.id) })}>
            {t("builder.what_if_start")}
          </Button>
        </Group>
        {start.isError && <ProblemAlert error={start.error} />}
      </Card>
      {running !== null && (
        <Loaded query={query} lines={2}>
          {(found) => <Result found={found} />}
        </Loaded>
      )}
    </Stack>
  );
}

function Result({ found }: { found: Found }) {
  const { t, i18n } = useTranslation();
  const cancel = useCancelWhatIf();
  const groups = useWhatIfGroups(found.id, found.replayed);
  const [chosen, setChosen] = useState<string | null>(null);
  const share = found.total ? (found.replayed / found.total) * 100 : 0;
  const count = (number: number) => new Intl.NumberFormat(i18n.language).format(number);
  return (
    <Card padding="md">
      <Group justify="space-between" mb="xs">
        <Text fw={500} role="status">
          {t("builder.what_if_changed", { changed: count(found.changed), replayed: count(found.replayed) })}
        </Text>
        {found.finished_at === null && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(found.id)}>
            {t("common.cancel")}
          </Button>
        )}
      </Group>
      {found.finished_at === null && <Progress value={share} aria-label={t("builder.what_if_progress")} animated mb="sm" />}
      {found.error && <Text c="var(--bad)">{found.error}</Text>}
      <Loaded query={groups} lines={2}>
        {(all) =>
          all.length === 0 && found.finished_at !== null ? (
            <Text c="dimmed">{t("builder.what_if_same")}</Text>
          ) : (
            <Stack gap={4}>
              {all.map((group) => (
                <div key={group.id}>
                  <UnstyledButton className={classes.problem} aria-expanded={chosen === group.id} onClick={() => setChosen(chosen === group.id ? null : group.id)}>
                    <span>
                      <strong>{count(group.documents)}</strong> {t(`builder.parting_${group.parting.kind}`, { node: group.parting.node?.split(":").at(-1) ?? "" })}
                    </span>
                    <Text size="xs" c="dimmed" component="span" lang="en">
                      {[...(group.parting.conditions_before ?? []), "→", ...(group.parting.conditions_after ?? [])].join(" ")} {group.parting.error ?? ""}
                    </Text>
                  </UnstyledButton>
                  {chosen === group.id && <Documents whatIf={found.id} group={group.id} />}
                </div>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

function Documents({ whatIf, group }: { whatIf: string; group: string }) {
  const { t } = useTranslation();
  const query = useWhatIfDocuments(whatIf, group);
  return (
    <Loaded query={query} lines={3} inset>
      {({ pages }) => (
        <>
          <Table className={rows.table}>
            <Table.Tbody>
              {pages
                .flatMap(({ items }) => items)
                .map((each) => (
                  <Table.Tr key={each.document_id}>
                    <Table.Td className={rows.main}>
                      <TextLink to="/documents/$documentId" params={{ documentId: each.document_id }}>
                        {each.document_id.slice(0, 8)}
                      </TextLink>
                    </Table.Td>
                    <Table.Td>{each.doc_status}</Table.Td>
                    <Table.Td>
                      <When at={each.created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
          {query.hasNextPage && (
            <Button size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t("documents.more")}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
