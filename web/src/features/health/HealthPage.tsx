/** How everything is doing: five queues, what they did lately, what went wrong, what is stuck, and who works. */
import { Alert, Card, Stack, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type QueueHealth, useHealth, useRunTypes } from "../../api/operate";
import { useSignedIn } from "../../session/SignedIn";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { DEAD } from "../deliveries/view";
import { Charts } from "./Charts";
import classes from "./HealthPage.module.css";
import { Incidents } from "./Incidents";
import { Lately } from "./Lately";
import { StuckList } from "./StuckList";
import { type HealthView, seconds, stateOf, unhandled } from "./view";
import { Workers } from "./Workers";

const route = getRouteApi("/health");

export function HealthPage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const query = useHealth();
  const queue = view.queue ?? query.data?.queues[0]?.queue;
  const go = (next: HealthView) => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <Page title={t("health.title")} intro={t("health.intro")}>
      {may("runs:read") && <Unhandled />}
      <Loaded query={query} lines={1} height={220}>
        {({ queues }) =>
          queues.length === 0 ? (
            <Notice>{t("health.no_queues")}</Notice>
          ) : (
            <div className={classes.queues}>
              {queues.map((each) => (
                <QueueCard key={each.queue} queue={each} view={view} />
              ))}
            </div>
          )
        }
      </Loaded>
      {queue && <Charts queue={queue} span={view.span ?? "1h"} onSpan={(span) => go({ ...view, span })} />}
      <Part id="incidents-title" title={view.queue ? t("health.incidents_of", { queue: t(`health.queue_${view.queue}`) }) : t("health.incidents")}>
        <Incidents queue={view.queue} />
      </Part>
      {may("processes:read") && (
        <Part id="stuck-title" title={t("health.stuck_processes")}>
          <StuckList />
        </Part>
      )}
      {may("runs:read") && (
        <Part id="workers-title" title={t("health.workers")}>
          <Workers />
        </Part>
      )}
      <Part id="lately-title" title={t("health.operations")}>
        <Lately />
      </Part>
    </Page>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Card component="section" aria-labelledby={id} padding={0}>
      <Title order={2} size="h3" id={id} p="md">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function QueueCard({ queue, view }: { queue: QueueHealth; view: HealthView }) {
  const { t } = useTranslation();
  const state = stateOf(queue);
  const name = t(`health.queue_${queue.queue}`);
  const facts: [string, ReactNode][] = [
    [t("health.pending"), queue.pending.toLocaleString()],
    [t("health.working"), queue.working.toLocaleString()],
    [t("health.waiting"), queue.waiting.toLocaleString()],
    [t("health.stuck"), queue.stuck.toLocaleString()],
    [t(queue.queue === "runs" || queue.queue === "sessions" ? "health.failed_day" : "health.dead"), <Dead key="dead" queue={queue} />],
    [t("health.oldest"), seconds(queue.oldest_seconds)],
    ["p50 · p95", `${seconds(queue.p50_seconds)} · ${seconds(queue.p95_seconds)}`],
    [t("health.hour"), queue.finished.toLocaleString()],
    [t("health.hour_errors"), queue.errors.toLocaleString()],
  ];
  return (
    <Card component="section" aria-label={name}>
      <div className={classes.head}>
        <span className={classes.dot} data-state={state} aria-hidden="true" />
        <TextLink to="/health" search={{ ...view, queue: queue.queue }} fw={600} resetScroll={false}>
          {name}
        </TextLink>
        <span>{t(`health.state_${state}`)}</span>
      </div>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The figure leads to what it counts: dead letters to their list, failures to the incidents they make up. */
function Dead({ queue: { queue, dead } }: { queue: QueueHealth }) {
  const figure = dead.toLocaleString();
  if (queue === "runs" || queue === "sessions") {
    return (
      <TextLink to="/health" search={{ queue }} hash="incidents-title">
        {figure}
      </TextLink>
    );
  }
  return (
    <TextLink to="/deliveries" search={{ queue, status: DEAD[queue] }}>
      {figure}
    </TextLink>
  );
}

function Unhandled() {
  const { t } = useTranslation();
  const { data } = useRunTypes();
  const types = unhandled(data ?? []);
  if (types.length === 0) return null;
  return (
    <Alert color="ochre" icon={<IconAlertTriangle aria-hidden="true" />} title={t("health.unhandled", { count: types.length })}>
      <Stack gap={2}>
        {types.slice(0, 10).map(({ type, ready, delayed, blocked }) => (
          <TextLink key={type} to="/runs" search={{ prefix: type, status: "pending" }}>
            {t("health.unhandled_type", { type, count: ready + delayed + blocked })}
          </TextLink>
        ))}
      </Stack>
    </Alert>
  );
}
