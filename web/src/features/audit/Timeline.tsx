/** Events under the days they happened on. Each can be opened. */
import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useUserNames } from "../../api/queries";
import type { Event } from "../../api/types";
import { byDay, calendarDay, nearDay } from "../../ui/time";
import { useNow } from "../../ui/useNow";
import { When } from "../../ui/When";
import { EventSentence } from "./EventSentence";
import { tone } from "./sentence";
import classes from "./Timeline.module.css";

interface Props {
  events: readonly Event[];
  onOpen: (event: Event) => void;
}

export function Timeline({ events, onOpen }: Props) {
  const { t } = useTranslation();
  const now = useNow();
  const names = useUserNames();
  return (
    <div className={classes.timeline}>
      {byDay(events).map((day) => {
        const near = nearDay(day.date, now);
        const first = day.items[0];
        return (
          <div key={day.date}>
            <h3 className={classes.day}>
              {near ? t(`common.${near}`) : first && calendarDay(new Date(first.created_at))}
            </h3>
            <ol className={classes.events}>
              {day.items.map((event) => (
                <li key={event.id} className={classes.event} data-tone={tone(event.event_type)}>
                  <UnstyledButton className={classes.button} aria-haspopup="dialog" onClick={() => onOpen(event)}>
                    <span className={classes.words}>
                      <EventSentence event={event} names={names} />
                    </span>
                    <code className={classes.type}>{event.event_type}</code>
                    <span className={classes.when}>
                      <When at={event.created_at} as="clock" />
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </ol>
          </div>
        );
      })}
    </div>
  );
}
