/** Says when what is on the screen may be behind; says nothing while all is well. */
import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Hint } from "../ui/Hint";
import { useLiveState } from "./LiveProvider";

export function LiveBadge() {
  const { t } = useTranslation();
  const state = useLiveState();
  const shown = state === "reconnecting" || state === "polling" ? state : null;
  return (
    <span role="status" className="quiet">
      {shown && (
        <Hint label={t(`live.${shown}_hint`)}>
          <Badge color={shown === "reconnecting" ? "ochre" : "slate"}>{t(`live.${shown}`)}</Badge>
        </Hint>
      )}
    </span>
  );
}
