/** How many runs there are in each status; choosing one narrows the list to it. */
import { Skeleton, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useRunStats } from "../../api/queries";
import { formats } from "../../i18n/formats";
import { RUN_STATUSES, type RunStatus } from "./filter";
import classes from "./RunFigures.module.css";
import { countByStatus } from "./state";

interface Props {
  live: boolean;
  chosen: RunStatus | undefined;
  onChoose: (status: RunStatus | undefined) => void;
}

export function RunFigures({ live, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const query = useRunStats(live);
  const counts = query.data && countByStatus(query.data);
  return (
    <div className={classes.figures} role="group" aria-label={t("runs.figures")}>
      {RUN_STATUSES.map((status) => (
        <UnstyledButton
          key={status}
          className={classes.figure}
          data-status={status}
          data-some={(counts?.[status] ?? 0) > 0 || undefined}
          aria-pressed={chosen === status}
          onClick={() => onChoose(chosen === status ? undefined : status)}
        >
          <span className={classes.label}>{t(`runs.status_${status}`)}</span>
          <span className={classes.value}>
            {counts ? counts[status].toLocaleString(formats()) : query.isError ? "–" : <Skeleton height={26} width={36} mt={4} />}
          </span>
          <span className={classes.note}>
            {t(status === "pending" || status === "leased" ? "runs.now" : "runs.last_day")}
          </span>
        </UnstyledButton>
      ))}
    </div>
  );
}
