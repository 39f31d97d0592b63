/** An operation over many things: how far it has come, and what became of each. */
import { Badge, Button, Card, Group, NativeSelect, Progress, Stack, Table, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { type BulkItem, type BulkOperation, useCancelOperation, useOperation, useOperationItems } from "../../api/operate";
import { ActionButton } from "../../ui/ActionButton";
import { Facts } from "../../ui/Facts";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import rows from "../../ui/RowTable.module.css";
import { sentenceCase } from "../../ui/sentenceCase";
import { When } from "../../ui/When";
import { doneOf, kindOf, type Outcome, OUTCOMES, progressOf, underWay, verdictOf, wordOf } from "./view";

const route = getRouteApi("/operations/$operationId");
const COLORS: Record<Outcome, string> = { succeeded: "kelp", skipped: "slate", failed: "rust" };

export function OperationPage() {
  const { t } = useTranslation();
  const { operationId } = route.useParams();
  const query = useOperation(operationId);
  const cancel = useCancelOperation();
  const kind = kindOf(query.data?.kind ?? "");
  return (
    <Page
      title={kind ? t(`operations.all_${wordOf(kind)}`) : (query.data?.kind ?? t("operations.title"))}
      intro={t("operations.intro")}
      actions={
        query.data &&
        underWay(query.data) && (
          <ActionButton variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(operationId)}>
            {t("operations.cancel")}
          </ActionButton>
        )
      }
    >
      {cancel.isError && <ProblemAlert error={cancel.error} />}
      <Loaded query={query} lines={3} height={60}>
        {(operation) => (
          <Stack gap="lg">
            <State operation={operation} />
            <Items operation={operation} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function State({ operation }: { operation: BulkOperation }) {
  const { t } = useTranslation();
  const verdict = verdictOf(operation);
  const progress = progressOf(operation);
  return (
    <Card component="section" aria-label={t("operations.state")}>
      <Stack gap="sm">
        <Text fw={600} role="status">
          {t(`operations.verdict_${verdict}`)}
        </Text>
        {progress !== null && (
          <Progress value={progress} aria-label={t("operations.progress")} color={operation.failed > 0 ? "rust" : "kelp"} />
        )}
        <Facts
          facts={[
            [t("operations.done"), operation.total === null ? doneOf(operation) : t("operations.done_of", { done: doneOf(operation), total: operation.total })],
            ...OUTCOMES.map((outcome) => [t(`operations.outcome_${outcome}`), operation[outcome].toLocaleString(formats())] as const),
            [t("runs.created_by"), <code key="by">{operation.created_by}</code>],
            [t("operations.begun"), <When key="begun" at={operation.created_at} as="exact" />],
            operation.finished_at && [t("runs.ended"), <When key="ended" at={operation.finished_at} as="exact" />],
            operation.error && [t("operations.error"), <span key="error" lang="en">{operation.error}</span>],
          ]}
        />
      </Stack>
    </Card>
  );
}

function Items({ operation }: { operation: BulkOperation }) {
  const { t } = useTranslation();
  const { outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useOperationItems(operation.id, outcome, doneOf(operation));
  const of_runs = operation.kind.startsWith("runs.");
  return (
    <Card padding={0} component="section" aria-label={t("operations.items")}>
      <Group p="md">
        <NativeSelect
          aria-label={t("operations.outcome")}
          value={outcome ?? ""}
          data={[{ value: "", label: t("operations.outcome_any") }, ...OUTCOMES.map((each) => ({ value: each, label: t(`operations.outcome_${each}`) }))]}
          onChange={(event) => {
            const chosen = OUTCOMES.find((each) => each === event.currentTarget.value);
            void navigate({ search: chosen ? { outcome: chosen } : {}, replace: true, resetScroll: false });
          }}
        />
      </Group>
      <Loaded query={query} lines={4} height={40} inset>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <Notice>{t(underWay(operation) ? "operations.no_items_yet" : "operations.no_items")}</Notice>;
          return (
            <>
              <ItemTable items={items} ofRuns={of_runs} />
              {query.hasNextPage && (
                <Stack p="md" align="center">
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t("runs.more")}
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

export function ItemTable({ items, ofRuns }: { items: readonly BulkItem[]; ofRuns: boolean }) {
  const { t } = useTranslation();
  const made = (detail: string | null | undefined) => /^run ([0-9a-f-]{36})$/.exec(detail ?? "")?.[1];
  return (
    <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("operations.item")}</Table.Th>
          <Table.Th>{t("operations.outcome")}</Table.Th>
          <Table.Th>{t("operations.detail")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => {
          const run = made(item.detail);
          return (
            <Table.Tr key={item.seq}>
              <Table.Td className={rows.main}>
                {ofRuns ? (
                  <TextLink to="/runs/$runId" params={{ runId: item.item }}>
                    {item.item}
                  </TextLink>
                ) : (
                  <code>{item.item}</code>
                )}
              </Table.Td>
              <Table.Td data-label={t("operations.outcome")} className={rows.narrow}>
                <Badge color={COLORS[item.outcome]}>{t(`operations.outcome_${item.outcome}`)}</Badge>
              </Table.Td>
              <Table.Td data-label={t("operations.detail")}>
                {run ? (
                  <TextLink to="/runs/$runId" params={{ runId: run }}>
                    {t("operations.new_run")}
                  </TextLink>
                ) : item.detail ? (
                  <span lang="en">{sentenceCase(item.detail)}</span>
                ) : (
                  (item.code ?? "–")
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
