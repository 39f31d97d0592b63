/** The status of a session: a colour, and the word that says the same. */
import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type SessionStatus, STATUS_COLORS } from "./filter";

export function SessionBadge({ status }: { status: SessionStatus }) {
  const { t } = useTranslation();
  return (
    <Badge color={STATUS_COLORS[status]} variant={status === "running" ? "outline" : "light"} miw="max-content">
      {t(`sessions.status_${status}`)}
    </Badge>
  );
}
