/** The attempts of a run: each with its time, why it failed, and its steps on a line at the moments at which they were stored. */
import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunStep } from "../../api/types";
import { When } from "../../ui/When";
import classes from "./Steps.module.css";
import type { Attempt } from "./attempts";
import { duration } from "./state";

export function Attempts({ attempts, now }: { attempts: readonly Attempt[]; now: string }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.steps}>
      {attempts.map(({ number, from, until, error, steps }) => (
        <li key={number}>
          <Group justify="space-between" gap="sm">
            <Text fw={500}>{t("runs.attempt", { number })}</Text>
            <Text size="sm" c="dimmed">
              <When at={from} as="clock" /> · {until ? duration(from, until) : t("runs.under_way")}
            </Text>
          </Group>
          {error && (
            <Text size="sm" c="var(--mantine-color-error)" lang="en" style={{ overflowWrap: "anywhere" }}>
              {error}
            </Text>
          )}
          {steps.length > 0 && <Axis steps={steps} from={from} until={until ?? now} />}
        </li>
      ))}
    </ol>
  );
}

/** The steps at their moments between the attempt's beginning and its end. */
function Axis({ steps, from, until }: { steps: readonly RunStep[]; from: string; until: string }) {
  const { t } = useTranslation();
  const [begun, ended] = [Date.parse(from), Math.max(Date.parse(until), ...steps.map(({ created_at }) => Date.parse(created_at)))];
  const place = (at: string) => `${ended > begun ? (100 * (Date.parse(at) - begun)) / (ended - begun) : 0}%`;
  const words = steps.map(({ name, created_at }) => t("runs.axis_step", { step: name, after: duration(from, created_at) }));
  return (
    <div className={classes.axis} role="img" aria-label={`${t("runs.axis")}: ${words.join("; ")}`}>
      <div className={classes.line}>
        {steps.map(({ name, created_at }, each) => (
          <span key={name} className={classes.tick} style={{ left: place(created_at) }} title={words[each]} />
        ))}
      </div>
      <div className={classes.ends}>
        <When at={from} as="clock" />
        <span>{duration(from, new Date(ended).toISOString())}</span>
      </div>
    </div>
  );
}
