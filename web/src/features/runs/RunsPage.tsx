/** The queue as it is: figures, what is paused, and the runs, newest first, renewed by themselves. */
import { Alert, Button, Card, Group, Stack, Switch } from "@mantine/core";
import { IconPlayerPause } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useResumePrefix } from "../../api/administration";
import { usePauses, useRuns } from "../../api/queries";
import { useSignedIn } from "../../session/SignedIn";
import { ActionButton } from "../../ui/ActionButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { BulkButton } from "../operations/BulkButton";
import { Enqueue } from "./Enqueue";
import { bulkRuns, isFiltered, payloadOf, type RunFilter } from "./filter";
import { RunFilterBar } from "./RunFilterBar";
import { RunFigures } from "./RunFigures";
import { RunTypes } from "./RunTypes";
import { RunTable } from "./RunTable";

const route = getRouteApi("/runs");

export function RunsPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const [live, setLive] = useState(true);
  const narrow = (next: RunFilter) => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <Page
      title={t("runs.title")}
      intro={t("runs.intro")}
      needs="runs:read"
      actions={
        <Group gap="md">
          <Switch label={t("runs.live")} checked={live} onChange={(event) => setLive(event.currentTarget.checked)} />
          <Enqueue />
        </Group>
      }
    >
      {may("runs:read") && (
        <Stack gap="lg">
          <RunFigures live={live} chosen={filter.status} onChoose={(status) => narrow({ ...filter, status })} />
          <Paused />
          <Card padding={0}>
            <RunFilterBar filter={filter} live={live} onChange={narrow} />
            <Many filter={filter} />
            <List filter={filter} live={live} />
          </Card>
          <RunTypes />
        </Stack>
      )}
    </Page>
  );
}

/** What can be done to everything that the filter finds. */
function Many({ filter }: { filter: RunFilter }) {
  const { t } = useTranslation();
  const broken = filter.payload !== undefined && !payloadOf(filter.payload) ? t("operations.payload_invalid") : undefined;
  const narrow = broken ?? (isFiltered(filter) ? undefined : t("operations.narrow_first"));
  return (
    <Group px="md" pb="md" gap="xs" role="group" aria-label={t("runs.bulk")}>
      <BulkButton kind="runs.retry" filter={bulkRuns("runs.retry", filter)} needs="runs:operate" refusal={broken} />
      <BulkButton kind="runs.cancel" filter={bulkRuns("runs.cancel", filter)} needs="runs:operate" refusal={narrow} />
      <BulkButton kind="runs.delete" filter={bulkRuns("runs.delete", filter)} needs="runs:operate" refusal={narrow} />
    </Group>
  );
}

function List({ filter, live }: { filter: RunFilter; live: boolean }) {
  const { t } = useTranslation();
  const query = useRuns(filter, live);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const filtered = isFiltered(filter);
  return (
    <Loaded query={query} lines={6} height={52} inset>
      {({ pages }) => {
        const runs = pages.flatMap((page) => page.items);
        if (runs.length === 0) {
          return filtered ? (
            <Notice>{t("runs.empty_filtered")}</Notice>
          ) : (
            <Notice title={t("runs.empty")}>{t("runs.empty_hint")}</Notice>
          );
        }
        return (
          <>
            <RunTable runs={runs} />
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
  );
}

/** What is paused waits for ever and looks like trouble: so it is said above everything else. */
function Paused() {
  const { t } = useTranslation();
  const { data } = usePauses();
  const resume = useResumePrefix();
  if (!data || data.length === 0) return null;
  return (
    <Alert color="ochre" icon={<IconPlayerPause aria-hidden="true" />} title={t("runs.paused", { count: data.length })}>
      <Group gap="xs" mt={4}>
        {data.map(({ prefix }) => (
          <ActionButton
            key={prefix}
            needs="runs:operate"
            size="xs"
            variant="default"
            loading={resume.isPending && resume.variables === prefix}
            onClick={() => resume.mutate(prefix)}
          >
            {t("runs.resume", { prefix })}
          </ActionButton>
        ))}
      </Group>
      {resume.isError && <ProblemAlert error={resume.error} />}
    </Alert>
  );
}

