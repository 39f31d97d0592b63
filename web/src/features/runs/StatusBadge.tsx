/** The status of a run: a colour, and the word that says the same. */
import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunStatus } from "./filter";
import { STATUS_COLORS } from "./state";
import classes from "./StatusBadge.module.css";

export function StatusBadge({ status }: { status: RunStatus }) {
  const { t } = useTranslation();
  return (
    <Badge
      color={STATUS_COLORS[status]}
      variant={status === "cancelled" ? "outline" : "light"}
      miw="max-content"
      leftSection={<span className={classes.dot} data-status={status} aria-hidden="true" />}
    >
      {t(`runs.status_${status}`)}
    </Badge>
  );
}
