/** What failed lately, for those who can mend it: runs and deliveries, the newest first, each a press away. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useDeadLetters } from "../../api/processes";
import { useRuns } from "../../api/queries";
import { TextLink } from "../../ui/LinkButton";
import { When } from "../../ui/When";
import classes from "./HomePage.module.css";

const MOST = 4;

export function Failed() {
  const { t } = useTranslation();
  const runs = useRuns({ status: "failed" }, false);
  const letters = useDeadLetters();
  const failed = (runs.data?.pages[0]?.items ?? []).slice(0, MOST);
  const dead = (letters.data?.items ?? []).slice(0, MOST);
  if (failed.length + dead.length === 0) return <Text c="dimmed">{t("home.nothing_failed")}</Text>;
  return (
    <ul className={classes.rows}>
      {dead.map((effect) => (
        <li key={effect.id}>
          <span>
            {effect.instance_id ? (
              <TextLink to="/processes/$instanceId" params={{ instanceId: effect.instance_id }}>
                {t("home.not_delivered", { kind: effect.kind })}
              </TextLink>
            ) : (
              t("home.not_delivered", { kind: effect.kind })
            )}
            <Text span size="sm" c="dimmed" display="block" lang="en">
              {effect.error}
            </Text>
          </span>
          <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            <When at={effect.completed_at ?? effect.created_at} />
          </Text>
        </li>
      ))}
      {failed.map((run) => (
        <li key={run.id}>
          <TextLink to="/runs/$runId" params={{ runId: run.id }}>
            {run.type}
          </TextLink>
          <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {run.finished_at && <When at={run.finished_at} />}
          </Text>
        </li>
      ))}
    </ul>
  );
}
