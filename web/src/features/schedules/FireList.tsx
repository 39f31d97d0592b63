/** The next fires, as the clocks of the schedule's time zone show them, and how far off each is. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { When } from "../../ui/When";
import classes from "./FireList.module.css";
import { inZone } from "./state";

interface Props {
  fires: readonly string[];
  timezone: string;
}

export function FireList({ fires, timezone }: Props) {
  const { t } = useTranslation();
  if (fires.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("schedules.no_fires")}
      </Text>
    );
  }
  return (
    <ol className={classes.fires} aria-label={t("schedules.fires")}>
      {fires.map((fire) => (
        <li key={fire}>
          <span>{inZone(fire, timezone)}</span>
          <Text span size="sm" c="dimmed">
            <When at={fire} />
          </Text>
        </li>
      ))}
    </ol>
  );
}
