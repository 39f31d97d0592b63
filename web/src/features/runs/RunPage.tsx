/** One run with everything that is known of it, and what can still be done about it. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "../../api/problem";
import { useRun } from "../../api/queries";
import type { Event, RunDetail } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { Json } from "../../ui/Json";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { EventDrawer } from "../audit/EventDrawer";
import { Timeline } from "../audit/Timeline";
import { attemptsOf } from "./attempts";
import { Attempts } from "./Attempts";
import { RunActions } from "./RunActions";
import { RunErrorCard } from "./RunErrorCard";
import { RunFacts } from "./RunFacts";
import classes from "./RunPage.module.css";
import { StartedRuns } from "./StartedRuns";
import { Steps } from "./Steps";

const route = getRouteApi("/runs/$runId");

export function RunPage() {
  const { t } = useTranslation();
  const { runId } = route.useParams();
  const query = useRun(runId);
  const problem = query.isError ? asProblem(query.error) : null;
  const missing = problem?.code === "not_found" || problem?.code === "invalid_input";
  const run = query.data?.run;
  return (
    <Page
      title={run?.type ?? t("runs.one")}
      needs="runs:read"
      intro={
        <Group component="span" gap={4} wrap="nowrap">
          <code style={{ overflowWrap: "anywhere" }}>{runId}</code>
          <CopyButton text={runId} label={t("audit.copy_id")} />
        </Group>
      }
      actions={run && <RunActions key={run.id} run={run} />}
    >
      <div>
        <LinkButton
          to="/runs"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
        >
          {t("runs.back")}
        </LinkButton>
      </div>
      {missing ? (
        <Notice>{t("runs.missing")}</Notice>
      ) : (
        <Loaded query={query} lines={5} height={72}>
          {(detail) => <Told detail={detail} />}
        </Loaded>
      )}
    </Page>
  );
}

function Told({ detail: { run, steps, events, children } }: { detail: RunDetail }) {
  const { t } = useTranslation();
  const attempts = attemptsOf(run, steps, events);
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <RunErrorCard run={run} />
        {run.result !== null && run.result !== undefined && (
          <Section title={t("runs.result")} named={false}>
            <Json value={run.result} label={t("runs.result")} />
          </Section>
        )}
        <Section title={t("runs.payload")} named={false}>
          <Json value={run.payload} label={t("runs.payload")} />
        </Section>
        {(attempts.length > 1 || steps.length > 0) && (
          <Section title={t("runs.attempts")}>
            <Attempts attempts={attempts} now={run.finished_at ?? run.updated_at} />
          </Section>
        )}
        {steps.length > 0 && (
          <Section title={t("runs.steps")}>
            <Steps steps={steps} />
          </Section>
        )}
        {children.length > 0 && (
          <Section title={t("runs.started")}>
            <StartedRuns runs={children} />
          </Section>
        )}
        <Section title={t("runs.timeline")}>
          <History events={events} />
        </Section>
      </Stack>
      <RunFacts run={run} />
    </div>
  );
}

interface SectionProps {
  title: string;
  /** False where what is inside has the same name: a place is announced once. */
  named?: boolean;
  children: ReactNode;
}

function Section({ title, named = true, children }: SectionProps) {
  return (
    <Card {...(named && { component: "section" as const, "aria-label": title })}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}

const FIRST = 12;

function History({ events }: { events: readonly Event[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Event | null>(null);
  const [all, setAll] = useState(false);
  if (events.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {t("runs.no_events")}
      </Text>
    );
  }
  return (
    <>
      <Timeline events={all ? events : events.slice(0, FIRST)} onOpen={setOpen} />
      {!all && events.length > FIRST && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" onClick={() => setAll(true)}>
            {t("runs.all_events", { count: events.length })}
          </Button>
        </Group>
      )}
      <EventDrawer event={open} onClose={() => setOpen(null)} />
    </>
  );
}
