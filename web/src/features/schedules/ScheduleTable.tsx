/** Schedules as rows; on a narrow screen each row becomes a small card. */
import { Anchor, Badge, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schedule } from "../../api/types";
import { TextLink } from "../../ui/LinkButton";
import classes from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { PauseButton } from "./PauseButton";
import { inZone, type ScheduleState, STATE_COLORS } from "./state";
import { CronWords } from "./CronWords";

interface Props {
  schedules: readonly Schedule[];
  onOpen: (name: string) => void;
}

export function ScheduleTable({ schedules, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Table className={classes.table} style={{ borderTop: "none" }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("schedules.name")}</Table.Th>
          <Table.Th>{t("schedules.when")}</Table.Th>
          <Table.Th>{t("schedules.state")}</Table.Th>
          <Table.Th>{t("schedules.next")}</Table.Th>
          <Table.Th>{t("schedules.last")}</Table.Th>
          <Table.Th>
            <span className={classes.hidden}>{t("schedules.pause")}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {schedules.map((schedule) => (
          <Table.Tr key={schedule.id}>
            <Table.Td className={classes.main}>
              <Anchor
                component="button"
                type="button"
                fw={500}
                ta="left"
                aria-haspopup="dialog"
                onClick={() => onOpen(schedule.name)}
              >
                {schedule.name}
              </Anchor>
              <Text size="xs" c="dimmed">
                <code>{schedule.type}</code>
              </Text>
              {schedule.description && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {schedule.description}
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label={t("schedules.when")} className={classes.narrow}>
              <div>
                <CronWords cron={schedule.cron} />
                <Text size="xs" c="dimmed">
                  {schedule.timezone}
                </Text>
              </div>
            </Table.Td>
            <Table.Td data-label={t("schedules.state")} className={classes.narrow}>
              <StateBadge state={schedule.state} />
            </Table.Td>
            <Table.Td data-label={t("schedules.next")} className={schedule.next_fire_at ? classes.narrow : classes.minor}>
              {schedule.next_fire_at ? (
                <div>
                  <When at={schedule.next_fire_at} />
                  <Text size="xs" c="dimmed">
                    {inZone(schedule.next_fire_at, schedule.timezone)}
                  </Text>
                </div>
              ) : (
                "–"
              )}
            </Table.Td>
            <Table.Td data-label={t("schedules.last")} className={schedule.last_run_id ? classes.narrow : classes.minor}>
              <Last schedule={schedule} />
            </Table.Td>
            <Table.Td className={classes.action}>
              <PauseButton schedule={schedule} size="xs" />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function StateBadge({ state }: { state: ScheduleState }) {
  const { t } = useTranslation();
  return (
    <Badge color={STATE_COLORS[state]} miw="max-content">
      {t(`schedules.state_${state}`)}
    </Badge>
  );
}

export function Last({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const when = schedule.last_fire_at ? <When at={schedule.last_fire_at} /> : t("schedules.by_hand");
  if (schedule.last_run_id) {
    return (
      <TextLink to="/runs/$runId" params={{ runId: schedule.last_run_id }} size="sm">
        {when}
      </TextLink>
    );
  }
  return schedule.last_fire_at ? when : t("common.never");
}
