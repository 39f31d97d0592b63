/**
 * What waits for whoever is signed in: the list beside what is open of it. After a decision the next row is open; rows never move
 * under the pointer, and what came in is counted until it is asked for.
 */
import { Badge, Button, Group, Tabs } from "@mantine/core";
import { IconKeyboard } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFresh } from "../../api/fresh";
import { useInbox, useInboxCounts } from "../../api/people";
import { LiveBadge } from "../../live/LiveBadge";
import { later } from "../../ui/later";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { filterOf, INBOX_TABS, type InboxTab, inboxView, type InboxView } from "./filter";
import classes from "./InboxPage.module.css";
import { Panes } from "./Panes";

const Help = later(() => import("./Help").then((module) => module.Help));
const route = getRouteApi("/inbox");

export function InboxPage() {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const every = useFresh(["inbox"]);
  const filter = filterOf(view);
  const counts = useInboxCounts(every, filter);
  const tab: InboxTab = view.tab ?? "all";
  const query = useInbox(tab, every, filter);
  const [help, setHelp] = useState(false);
  // Another tab is another list: what was open in the old one is not carried over, what it is narrowed to is.
  const show = (next: InboxView) => void navigate({ search: inboxView({ ...next }), replace: true, resetScroll: false });
  return (
    <Page
      title={t("inbox.title")}
      intro={t("inbox.intro")}
      actions={
        <Group gap="sm">
          <LiveBadge />
          <Button variant="subtle" color="slate" leftSection={<IconKeyboard size={18} aria-hidden="true" />} onClick={() => setHelp(true)} visibleFrom="md">
            {t("inbox.keys")}
          </Button>
        </Group>
      }
    >
      <Tabs value={tab} onChange={(next) => show({ ...filter, ...(next !== "all" && { tab: next as NonNullable<InboxView["tab"]> }) })}>
        <Tabs.List className={classes.tabs} style={{ flexWrap: "nowrap" }}>
          {INBOX_TABS.map((each) => {
            const count = counts.data?.[each];
            return (
              <Tabs.Tab
                key={each}
                value={each}
                rightSection={
                  count !== undefined && (
                    <Badge size="sm" miw="1.75rem" color={each === "overdue" && count.count > 0 ? "rust" : "slate"}>
                      {count.count}
                      {count.more && "+"}
                    </Badge>
                  )
                }
              >
                {t(`inbox.tab_${each}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="xs">
          <Loaded query={query} lines={6} height={64}>
            {({ pages }) => (
              <Panes
                items={pages.flatMap((page) => page.items)}
                view={view}
                tab={tab}
                every={every}
                onView={show}
                more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                onHelp={() => setHelp(true)}
              />
            )}
          </Loaded>
        </Tabs.Panel>
      </Tabs>
      {help && (
        <Suspense fallback={null}>
          <Help onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </Page>
  );
}
