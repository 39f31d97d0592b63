/** One schedule: when it fires next, what it enqueues, and what can be done with it. */
import { Alert, Divider, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconBolt, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteSchedule, useFireSchedule } from "../../api/administration";
import { useScheduleFires, useSchedules } from "../../api/queries";
import type { Schedule } from "../../api/types";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { Facts } from "../../ui/Facts";
import { Json } from "../../ui/Json";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { done } from "../../ui/notify";
import { When } from "../../ui/When";
import { FireList } from "./FireList";
import { PauseButton } from "./PauseButton";
import { Last, StateBadge } from "./ScheduleTable";
import { CronWords } from "./CronWords";

interface Props {
  name: string | undefined;
  onClose: () => void;
}

export function ScheduleDrawer({ name, onClose }: Props) {
  const { t } = useTranslation();
  const query = useSchedules();
  const found = query.data?.pages.flatMap((page) => page.items).find((schedule) => schedule.name === name);
  return (
    <Drawer
      opened={name !== undefined}
      onClose={onClose}
      title={name ?? ""}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {name !== undefined && (
        <Loaded query={query} lines={6}>
          {() =>
            found ? (
              <Details key={found.id} schedule={found} onDeleted={onClose} />
            ) : (
              <Notice>{t("schedules.missing", { name })}</Notice>
            )
          }
        </Loaded>
      )}
    </Drawer>
  );
}

function Details({ schedule, onDeleted }: { schedule: Schedule; onDeleted: () => void }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text c={schedule.description ? undefined : "dimmed"}>{schedule.description || <code>{schedule.type}</code>}</Text>
        <StateBadge state={schedule.state} />
      </Group>
      {schedule.last_error && (
        <Alert color="rust" icon={<IconAlertTriangle aria-hidden="true" />} title={t("schedules.last_error")}>
          <Text size="sm" lang="en">
            {schedule.last_error}
          </Text>
        </Alert>
      )}
      <Group gap="xs">
        <FireNow name={schedule.name} />
        <PauseButton schedule={schedule} size="xs" />
        {may("runs:read") && (
          <LinkButton to="/runs" search={{ prefix: schedule.type }} variant="default" size="xs">
            {t("schedules.runs")}
          </LinkButton>
        )}
        {may("audit:read") && (
          <LinkButton to="/audit" search={{ object: schedule.id }} variant="default" size="xs">
            {t("runs.timeline")}
          </LinkButton>
        )}
      </Group>
      <section aria-labelledby="fires-title">
        <Title order={3} id="fires-title" mb="xs">
          {t(schedule.state === "paused" ? "schedules.fires_if_resumed" : "schedules.fires")}
        </Title>
        <Fires schedule={schedule} />
      </section>
      <Divider />
      <Facts
        facts={[
          [t("schedules.when"), <CronWords key="cron" cron={schedule.cron} />],
          [t("schedules.timezone"), schedule.timezone],
          [t("schedules.type"), <code key="type">{schedule.type}</code>],
          [t("schedules.missed"), t(`schedules.missed_${schedule.missed}`, { limit: schedule.missed_limit })],
          [t("schedules.overlap"), t(`schedules.overlap_${schedule.overlap}`)],
          [t("runs.priority"), schedule.priority],
          schedule.max_attempts !== null && [t("runs.attempts"), schedule.max_attempts],
          schedule.starts_at && [t("schedules.starts"), <When key="from" at={schedule.starts_at} as="exact" />],
          schedule.ends_at && [t("schedules.ends"), <When key="to" at={schedule.ends_at} as="exact" />],
          [t("schedules.last"), <Last key="last" schedule={schedule} />],
          schedule.paused_by && [t("schedules.paused_by"), <code key="paused">{schedule.paused_by}</code>],
          [t("runs.created_by"), <code key="by">{schedule.created_by}</code>],
        ]}
      />
      <div>
        <Text fw={500} size="sm" mb={4}>
          {t("runs.payload")}
        </Text>
        <Json value={schedule.payload} label={t("runs.payload")} />
      </div>
      <Divider />
      {!schedule.name.startsWith("holdfast.") && <Delete name={schedule.name} onDeleted={onDeleted} />}
    </Stack>
  );
}

function Fires({ schedule }: { schedule: Schedule }) {
  const query = useScheduleFires(schedule.name);
  return (
    <Loaded query={query} lines={4} height={24}>
      {(fires) => <FireList fires={fires} timezone={schedule.timezone} />}
    </Loaded>
  );
}

function FireNow({ name }: { name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fire = useFireSchedule();
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    fire.reset();
  };
  return (
    <>
      <ActionButton
        needs="schedules:write"
        size="xs"
        leftSection={<IconBolt size={14} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t("schedules.fire")}
      </ActionButton>
      <Confirm
        opened={asking}
        title={t("schedules.fire_title", { name })}
        action={t("schedules.fire")}
        busy={fire.isPending}
        error={fire.error}
        onConfirm={() =>
          fire.mutate(name, {
            onSuccess: ({ id }) => {
              close();
              done(t("schedules.fired", { name }));
              void navigate({ to: "/runs/$runId", params: { runId: id } });
            },
          })
        }
        onClose={close}
      >
        {t("schedules.fire_text")}
      </Confirm>
    </>
  );
}

function Delete({ name, onDeleted }: { name: string; onDeleted: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteSchedule();
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  return (
    <div>
      <ActionButton
        needs="schedules:write"
        size="xs"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t("schedules.delete")}
      </ActionButton>
      <Confirm
        opened={asking}
        title={t("schedules.delete_title", { name })}
        action={t("schedules.delete")}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(name, {
            onSuccess: () => {
              close();
              onDeleted();
              done(t("schedules.deleted", { name }));
            },
          })
        }
        onClose={close}
      >
        {t("schedules.delete_text")}
      </Confirm>
    </div>
  );
}

