/** What a run is: status, attempts, times, where it came from. */
import { Card, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSchedules } from "../../api/queries";
import type { RunInfo } from "../../api/types";
import { Facts } from "../../ui/Facts";
import { TextLink } from "../../ui/LinkButton";
import { TraceId } from "../../ui/TraceId";
import { When } from "../../ui/When";
import { duration, scheduleOf } from "./state";
import { Waiting } from "./RunTable";
import { StatusBadge } from "./StatusBadge";

export function RunFacts({ run }: { run: RunInfo }) {
  const { t } = useTranslation();
  const schedule = scheduleOf(run.idempotency_key);
  return (
    <Card component="section" aria-label={t("runs.facts")}>
      <Facts
        facts={[
          [
            t("runs.status"),
            <div key="status">
              <StatusBadge status={run.status} />
              <Waiting run={run} />
            </div>,
          ],
          [t("runs.attempts"), t("runs.attempt_of", { attempt: run.attempt, max: run.max_attempts })],
          [t("runs.priority"), run.priority],
          [t("runs.created"), <When key="created" at={run.created_at} as="exact" />],
          [t("runs.created_by"), <code key="by">{run.created_by}</code>],
          [t("runs.run_at"), <When key="run_at" at={run.run_at} as="exact" />],
          run.leased_by && [t("runs.leased_by"), <code key="worker">{run.leased_by}</code>],
          run.lease_until && [t("runs.lease_until"), <When key="lease" at={run.lease_until} as="exact" />],
          run.finished_at && [t("runs.ended"), <When key="ended" at={run.finished_at} as="exact" />],
          run.finished_at && [t("runs.took"), duration(run.created_at, run.finished_at)],
          run.status === "cancelled" && run.last_error && [t("runs.reason"), run.last_error],
          schedule ? [t("runs.schedule"), <ScheduleLink key="schedule" id={schedule} />] : null,
          run.parent_id && [
            t("runs.parent"),
            <TextLink key="parent" to="/runs/$runId" params={{ runId: run.parent_id }}>
              {run.parent_id}
            </TextLink>,
          ],
          run.retried_as && [
            t("runs.retried_as"),
            <TextLink key="again" to="/runs/$runId" params={{ runId: run.retried_as }}>
              {run.retried_as}
            </TextLink>,
          ],
          run.waiting_for && [t("deliveries.waits"), <code key="waits">{run.waiting_for}</code>],
          run.idempotency_key && [t("runs.key"), <code key="key">{run.idempotency_key}</code>],
          run.trace_parent && [t("audit.trace"), <TraceId key="trace" of={run.trace_parent} />],
          run.deleted_at && [t("runs.deleted"), <When key="deleted" at={run.deleted_at} as="exact" />],
          run.delete_reason && [t("runs.reason"), run.delete_reason],
        ]}
      />
    </Card>
  );
}

/** The schedule may be deleted since, or not for this person to see. */
function ScheduleLink({ id }: { id: string }) {
  const { t } = useTranslation();
  const schedules = useSchedules();
  const found = schedules.data?.pages.flatMap((page) => page.items).find((schedule) => schedule.id === id);
  if (!found) return <Text span>{t("runs.by_schedule")}</Text>;
  return (
    <TextLink to="/schedules" search={{ schedule: found.name }}>
      {found.name}
    </TextLink>
  );
}
