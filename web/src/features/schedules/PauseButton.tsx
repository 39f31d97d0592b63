/** Stops a schedule, or lets it go on. Nothing is lost by either, so nobody is asked first. */
import { Tooltip } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useSetPaused } from "../../api/administration";
import { asProblem } from "../../api/problem";
import type { Schedule } from "../../api/types";
import { ActionButton } from "../../ui/ActionButton";
import { done } from "../../ui/notify";

export function PauseButton({ schedule, size = "sm" }: { schedule: Schedule; size?: "xs" | "sm" }) {
  const { t } = useTranslation();
  const change = useSetPaused();
  const { name } = schedule;
  const paused = schedule.state === "paused";
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  const button = (
    <ActionButton
      needs="schedules:write"
      size={size}
      variant="default"
      leftSection={<Icon size={14} aria-hidden="true" />}
      loading={change.isPending}
      aria-label={t(paused ? "schedules.resume_label" : "schedules.pause_label", { name })}
      onClick={() =>
        change.mutate(
          { name, paused: !paused },
          { onSuccess: () => done(t(paused ? "schedules.resumed" : "schedules.paused", { name })) },
        )
      }
    >
      {t(paused ? "schedules.resume" : "schedules.pause")}
    </ActionButton>
  );
  if (!change.isError) return button;
  return (
    <Tooltip label={asProblem(change.error).detail ?? t("problem.unexpected")} opened color="rust">
      <span role="alert">{button}</span>
    </Tooltip>
  );
}
