/** Says when what is on the screen may be behind; says nothing while all is well. */
import { Badge, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLiveState } from "./LiveProvider";

export function LiveBadge() {
  const { t } = useTranslation();
  const state = useLiveState();
  const shown = state === "reconnecting" || state === "polling" ? state : null;
  return (
    <span role="status">
      {shown && (
        <Tooltip label={t(`live.${shown}_hint`)}>
          <Badge color={shown === "reconnecting" ? "ochre" : "slate"}>{t(`live.${shown}`)}</Badge>
        </Tooltip>
      )}
    </span>
  );
}
