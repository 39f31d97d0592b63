/**
 * What waits for whoever is signed in: the list beside what is open of it. After a decision the next row is open; rows never move
 * under the pointer, and what came in is counted until it is asked for.
 */
import { Button, Group } from "@mantine/core";
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
import { filterOf, type InboxTab, inboxView, type InboxView } from "./filter";
import classes from "./InboxPage.module.css";
import { InboxTabs } from "./InboxTabs";
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
      <InboxTabs tab={tab} counts={counts.data} onTab={(next) => show({ ...filter, ...(next !== "all" && { tab: next }) })} />
      <div role="tabpanel" id="inbox-panel" aria-labelledby={`inbox-tab-${tab}`} className={classes.panel}>
        <Loaded query={query} lines={6} height={64}>
          {({ pages }) => (
            <Panes
              items={pages.flatMap((page) => page.items)}
              view={view}
              tab={tab}
              every={every}
              former={query.isPlaceholderData}
              onView={show}
              more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              onHelp={() => setHelp(true)}
            />
          )}
        </Loaded>
      </div>
      {help && (
        <Suspense fallback={null}>
          <Help onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </Page>
  );
}
