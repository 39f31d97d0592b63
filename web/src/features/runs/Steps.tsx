/** The durable steps of a run, in the order in which they were made: what each stored is what a replay would get. */
import { Group, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RunStep } from "../../api/types";
import { Json } from "../../ui/Json";
import { When } from "../../ui/When";
import { duration } from "./state";
import classes from "./Steps.module.css";

export function Steps({ steps, from, until }: { steps: readonly RunStep[]; from: string; until: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Axis steps={steps} from={from} until={until} />
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step.name} className={classes.step}>
          <span className={classes.mark} aria-hidden="true">
            <IconCheck size={14} stroke={2.4} />
          </span>
          <div className={classes.body}>
            <Group justify="space-between" gap="sm">
              <Text fw={500}>{step.name}</Text>
              <Text size="sm" c="dimmed">
                <When at={step.created_at} as="clock" />
              </Text>
            </Group>
            {step.result !== null && step.result !== undefined && (
              <Json value={step.result} label={t("runs.step_result", { step: step.name })} />
            )}
          </div>
        </li>
      ))}
    </ol>
    </>
  );
}

/** The steps at their moments between the run's beginning and its end. */
function Axis({ steps, from, until }: { steps: readonly RunStep[]; from: string; until: string }) {
  const { t } = useTranslation();
  const [begun, ended] = [Date.parse(from), Math.max(Date.parse(until), ...steps.map(({ created_at }) => Date.parse(created_at)))];
  const place = (at: string) => `${ended > begun ? (100 * (Date.parse(at) - begun)) / (ended - begun) : 0}%`;
  return (
    <div className={classes.axis} role="img" aria-label={`${t("runs.axis")}: ${steps.map(({ name, created_at }) => t("runs.axis_step", { step: name, after: duration(from, created_at) })).join("; ")}`}>
      <div className={classes.line}>
        {steps.map(({ name, created_at }) => (
          <span key={name} className={classes.tick} style={{ left: place(created_at) }} title={t("runs.axis_step", { step: name, after: duration(from, created_at) })} />
        ))}
      </div>
      <div className={classes.ends}>
        <When at={from} as="clock" />
        <span>{duration(from, new Date(ended).toISOString())}</span>
      </div>
    </div>
  );
}
