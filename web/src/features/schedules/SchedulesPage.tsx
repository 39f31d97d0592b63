/** What is enqueued by the clock: when next, when last, and what is paused. */
import { Button, Card, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSchedules } from "../../api/queries";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { CreateSchedule } from "./CreateSchedule";
import { ScheduleDrawer } from "./ScheduleDrawer";
import { ScheduleTable } from "./ScheduleTable";

const route = getRouteApi("/schedules");

export function SchedulesPage() {
  const { t } = useTranslation();
  const { schedule } = route.useSearch();
  const navigate = route.useNavigate();
  const [creating, setCreating] = useState(false);
  const open = (name: string | undefined) =>
    void navigate({ search: name ? { schedule: name } : {}, replace: name === undefined, resetScroll: false });
  return (
    <Page
      title={t("schedules.title")}
      intro={t("schedules.intro")}
      needs="schedules:read"
      actions={
        <ActionButton
          needs="schedules:write"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setCreating(true)}
        >
          {t("schedules.create")}
        </ActionButton>
      }
    >
      <List onOpen={open} />
      <CreateSchedule opened={creating} onClose={() => setCreating(false)} onCreated={open} />
      <ScheduleDrawer name={schedule} onClose={() => open(undefined)} />
    </Page>
  );
}

function List({ onOpen }: { onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const query = useSchedules();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Card padding={0}>
      <Loaded query={query} lines={4} height={60} inset>
        {({ pages }) => {
          const schedules = pages.flatMap((page) => page.items);
          if (schedules.length === 0) {
            return <Notice title={t("schedules.empty")}>{t("schedules.empty_hint")}</Notice>;
          }
          return (
            <>
              <ScheduleTable schedules={schedules} onOpen={onOpen} />
              {hasNextPage && (
                <Stack p="md" align="center">
                  <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    {t("runs.more")}
                  </Button>
                </Stack>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
