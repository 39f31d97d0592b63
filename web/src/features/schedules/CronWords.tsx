/** A cron expression as it is written, and what it means where that can be said. */
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { meaningOf } from "./cronWords";

/** A Sunday: the days after it are the days of a week. */
const SUNDAY = Date.UTC(2026, 0, 4);

export function CronWords({ cron }: { cron: string }) {
  const { t, i18n } = useTranslation();
  const meaning = meaningOf(cron);
  const clock = (hour: number, minute: number) => new Date(SUNDAY + (hour * 60 + minute) * 60_000).toLocaleTimeString(formats(), { timeStyle: "short", timeZone: "UTC" });
  const list = (parts: readonly string[]) => new Intl.ListFormat(i18n.language).format(parts);
  const two = (minute: number) => `:${String(minute).padStart(2, "0")}`;
  const said = (): string | null => {
    switch (meaning?.kind) {
      case undefined:
        return null;
      case "minutes":
        return t("schedules.cron_minutes", { count: meaning.count });
      case "hourly":
        return t("schedules.cron_hourly", { minute: two(meaning.minute) });
      case "hours":
        return t("schedules.cron_hours", { count: meaning.count, minute: two(meaning.minute) });
      case "daily":
        return t("schedules.cron_daily", { time: clock(meaning.hour, meaning.minute) });
      case "weekdays":
        return t("schedules.cron_weekdays", { time: clock(meaning.hour, meaning.minute) });
      case "weekly": {
        const days = meaning.days.map((day) => new Date(SUNDAY + day * 86_400_000).toLocaleDateString(formats(), { weekday: "long", timeZone: "UTC" }));
        return t("schedules.cron_weekly", { days: list(days), time: clock(meaning.hour, meaning.minute) });
      }
      case "monthly":
        return t("schedules.cron_monthly", { days: list(meaning.days.map(String)), time: clock(meaning.hour, meaning.minute) });
      case "last":
        return t("schedules.cron_last", { time: clock(meaning.hour, meaning.minute) });
      case "yearly": {
        const dates = meaning.dates.map(([month, day]) => new Date(Date.UTC(2024, month - 1, day)).toLocaleDateString(formats(), { day: "numeric", month: "long", timeZone: "UTC" }));
        return t("schedules.cron_yearly", { dates: list(dates), time: clock(meaning.hour, meaning.minute) });
      }
    }
  };
  const words = said();
  return (
    <>
      {words && <Text size="sm">{words}</Text>}
      <code>{cron}</code>
    </>
  );
}
