/** The durable steps of a run, in the order in which they were made: what each stored is what a replay would get. */
import { Group, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RunStep } from "../../api/types";
import { Json } from "../../ui/Json";
import { When } from "../../ui/When";
import classes from "./Steps.module.css";

export function Steps({ steps }: { steps: readonly RunStep[] }) {
  const { t } = useTranslation();
  return (
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
  );
}
