/** The audit trail: narrowed by the address, read backwards page by page, each event to be opened. */
import { Button, Card, Group, Stack, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useEvents } from "../../api/queries";
import type { Event } from "../../api/types";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { ChainCard } from "./ChainCard";
import { EventFilterBar } from "./EventFilterBar";
import type { EventFilter } from "./filter";
import { LazyEventDrawer } from "./LazyEventDrawer";
import { Timeline } from "./Timeline";

const route = getRouteApi("/audit");

export function AuditPage() {
  const { t } = useTranslation();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t("audit.title")} intro={t("audit.intro")} needs="audit:read">
      <Stack gap="lg">
        <ChainCard />
        <EventFilterBar
          filter={filter}
          onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        />
        <Trail filter={filter} />
      </Stack>
    </Page>
  );
}

function Trail({ filter }: { filter: EventFilter }) {
  const { t } = useTranslation();
  const query = useEvents(filter);
  const [open, setOpen] = useState<Event | null>(null);
  const filtered = filter.kind !== undefined || filter.object !== undefined;
  return (
    <Card component="section" aria-label={t("audit.timeline")}>
      <Loaded query={query} lines={8} height={36}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.items);
          if (events.length === 0) return <Notice>{t(filtered ? "audit.empty_filtered" : "audit.empty")}</Notice>;
          return (
            <>
              <Timeline events={events} onOpen={setOpen} />
              <Older query={query} />
            </>
          );
        }}
      </Loaded>
      <LazyEventDrawer event={open} onClose={() => setOpen(null)} />
    </Card>
  );
}

/** Loads on by itself when its place comes into view; the button is for keyboards and for after a failure. */
function Older({ query }: { query: ReturnType<typeof useEvents> }) {
  const { t } = useTranslation();
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const near = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (near && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [near, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (!hasNextPage) {
    return (
      <Text size="sm" c="dimmed" ta="center" mt="lg">
        {t("audit.end")}
      </Text>
    );
  }
  return (
    <Group ref={ref} justify="center" mt="lg">
      {isFetchNextPageError ? (
        <ProblemAlert error={query.error} onRetry={() => void fetchNextPage()} />
      ) : (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t(isFetchingNextPage ? "audit.loading_older" : "audit.older")}
        </Button>
      )}
    </Group>
  );
}
