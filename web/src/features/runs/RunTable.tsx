/** Runs as rows; on a narrow screen each row becomes a small card. */
import { Table, Text } from "@mantine/core";
import { memo, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import type { RunSummary } from "../../api/types";
import { TextLink } from "../../ui/LinkButton";
import classes from "../../ui/RowTable.module.css";
import { useNow } from "../../ui/useNow";
import { When } from "../../ui/When";
import { shortId } from "../audit/sentence";
import { duration, waitingFor } from "./state";
import { StatusBadge } from "./StatusBadge";

export function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  const { t } = useTranslation();
  // New rows are drawn a few at a time, between what the reader does.
  const shown = useDeferredValue(runs);
  return (
    <Table className={classes.table} aria-label={t("runs.title")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("runs.type")}</Table.Th>
          <Table.Th>{t("runs.status")}</Table.Th>
          <Table.Th>{t("runs.attempts")}</Table.Th>
          <Table.Th>{t("runs.created")}</Table.Th>
          <Table.Th>{t("runs.ended")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((run) => (
          <Row key={run.id} run={run} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Drawn again only when its run is another: a list that grows by a page would else draw all of its rows anew. */
const Row = memo(function Row({ run }: { run: RunSummary }) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td className={classes.main}>
        <TextLink to="/runs/$runId" params={{ runId: run.id }} fw={500}>
          {run.type}
        </TextLink>
        <Text size="xs" c="dimmed">
          <code>{shortId(run.id)}</code>
          {run.priority !== 0 && ` · ${t("runs.priority_is", { priority: run.priority })}`}
        </Text>
        {run.last_error && (
          <Text size="xs" c={run.status === "failed" ? "var(--mantine-color-error)" : "dimmed"} lineClamp={2}>
            {run.last_error}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={t("runs.status")} className={classes.narrow}>
        <div>
          <StatusBadge status={run.status} />
          <Waiting run={run} />
        </div>
      </Table.Td>
      <Table.Td data-label={t("runs.attempts")} className={run.attempt > 1 ? classes.narrow : classes.minor}>
        {t("runs.attempt_of", { attempt: run.attempt, max: run.max_attempts })}
      </Table.Td>
      <Table.Td data-label={t("runs.created")} className={classes.narrow}>
        <When at={run.created_at} />
      </Table.Td>
      <Table.Td data-label={t("runs.ended")} className={run.finished_at ? classes.narrow : classes.minor}>
        {run.finished_at ? (
          <div>
            <When at={run.finished_at} />
            <Text size="xs" c="dimmed">
              {t("runs.after", { duration: duration(run.created_at, run.finished_at) })}
            </Text>
          </div>
        ) : (
          "–"
        )}
      </Table.Td>
    </Table.Tr>
  );
});

/** What an unfinished run waits for, and until when. */
export function Waiting({ run }: { run: RunSummary }) {
  const { t } = useTranslation();
  const now = useNow();
  const what = waitingFor(run, now);
  if (what !== "later" && what !== "retry") return null;
  return (
    <Text size="xs" c="dimmed" mt={2}>
      {t(`runs.waits_${what}`)} <When at={run.run_at} />
    </Text>
  );
}
