/** What went wrong: the error in words, and where in the code, for those who want it. */
import { Alert, Spoiler, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RunInfo } from "../../api/types";
import classes from "./RunErrorCard.module.css";
import { errorOf } from "./state";

export function RunErrorCard({ run }: { run: RunInfo }) {
  const { t } = useTranslation();
  const error = errorOf(run);
  if (!error) return null;
  const over = run.status === "failed";
  return (
    <Alert
      color={over ? "rust" : "ochre"}
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${t(over ? "runs.failed_with" : "runs.last_attempt")} ${error.title}`}
      radius="lg"
      className={classes.alert}
    >
      {error.message && (
        <Text size="sm" className={classes.message}>
          {error.message}
        </Text>
      )}
      {error.traceback && (
        <Spoiler
          maxHeight={0}
          mt="xs"
          showLabel={t("runs.show_trace")}
          hideLabel={t("runs.hide_trace")}
          styles={{ control: { fontSize: "var(--mantine-font-size-sm)" } }}
        >
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
          <pre className={classes.trace} tabIndex={0} role="region" aria-label={t("runs.trace")}>
            {error.traceback}
          </pre>
        </Spoiler>
      )}
    </Alert>
  );
}
