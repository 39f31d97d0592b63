/** The parts of the inbox with what waits in each. Of its own rather than the library's: this is the page that most people load first. */
import { Badge, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { TabCounts } from "../../api/people";
import { INBOX_TABS, type InboxTab } from "./filter";
import classes from "./InboxPage.module.css";

interface Props {
  tab: InboxTab;
  counts: TabCounts | undefined;
  onTab: (tab: InboxTab) => void;
}

/** How far an arrow goes; the ends are reached with keys of their own. */
const STEPS: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: () => -1,
};

export function InboxTabs({ tab, counts, onTab }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(INBOX_TABS.indexOf(tab));
    if (next === undefined) return;
    event.preventDefault();
    const wanted = INBOX_TABS.at(next % INBOX_TABS.length) ?? "all";
    list.current?.querySelector<HTMLElement>(`#inbox-tab-${wanted}`)?.focus();
    onTab(wanted);
  };
  return (
    <div role="tablist" ref={list} aria-label={t("inbox.title")} className={classes.tabs}>
      {INBOX_TABS.map((each) => {
        const count = counts?.[each];
        return (
          <UnstyledButton
            key={each}
            role="tab"
            id={`inbox-tab-${each}`}
            aria-selected={each === tab}
            aria-controls="inbox-panel"
            tabIndex={each === tab ? 0 : -1}
            className={classes.tab}
            onClick={() => onTab(each)}
            onKeyDown={walk}
          >
            {t(`inbox.tab_${each}`)}
            {count !== undefined && (
              <Badge size="sm" miw="1.75rem" color={each === "overdue" && count.count > 0 ? "rust" : "slate"}>
                {count.count}
                {count.more && "+"}
              </Badge>
            )}
          </UnstyledButton>
        );
      })}
    </div>
  );
}
