/** How everything is doing: five queues, what they did lately, what went wrong, what is stuck, and who works. */
import { Alert, Card, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { type QueueHealth, useHealth, useRunTypes, useWorkers } from "../../api/operate";
import { useStuck } from "../../api/processes";
import { useSignedIn } from "../../session/SignedIn";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { DEAD } from "../deliveries/view";
import { Charts } from "./Charts";
import { Flow } from "./Flow";
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
      {query.data && <Stale key={query.dataUpdatedAt} at={query.dataUpdatedAt} />}
      {may("runs:read") && <Silent />}
      {may("runs:read") && <Unhandled />}
      <Loaded query={query} lines={1} height={220}>
        {({ queues }) =>
          queues.length === 0 ? (
            <Notice>{t("health.no_queues")}</Notice>
          ) : (
            <QueueTable queues={queues} view={view} />
          )
        }
      </Loaded>
      <Part id="incidents-title" title={view.queue ? t("health.incidents_of", { queue: t(`health.queue_${view.queue}`) }) : t("health.incidents")}>
        <Incidents queue={view.queue} />
      </Part>
      {may("processes:read") && (
        <Part id="stuck-title" title={t("health.stuck_processes")}>
          <StuckList />
        </Part>
      )}
      {queue && <Charts queue={queue} span={view.span ?? "1h"} onSpan={(span) => go({ ...view, span })} />}
      {may("processes:read") && (
        <Part id="flow-title" title={t("health.flow")}>
          <Flow flow={view.flow} onFlow={(flow) => go({ ...view, flow })} />
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

function QueueTable({ queues, view }: { queues: readonly QueueHealth[]; view: HealthView }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const processes = useStuck(false).data?.length ?? 0;
  // A process that nobody moves on is the engine's matter, though nothing of it lies in a queue.
  const state = (queue: QueueHealth) => stateOf(queue.queue === "engine" ? { ...queue, stuck: queue.stuck + processes } : queue);
  const columns: [label: string, value: (queue: QueueHealth) => ReactNode][] = [
    [t("health.pending"), (queue) => <Pending queue={queue} />],
    [t("health.working"), ({ working }) => working.toLocaleString(formats())],
    [t("health.waiting"), ({ waiting }) => waiting.toLocaleString(formats())],
    [
      t("health.stuck"),
      ({ queue, stuck }) => (
        <>
          {stuck.toLocaleString(formats())}
          {queue === "engine" && may("processes:read") && <StuckCount />}
        </>
      ),
    ],
    [t("health.dead"), (queue) => <Dead queue={queue} />],
    [t("health.oldest"), ({ pending, oldest_seconds }) => (pending === 0 ? "–" : seconds(oldest_seconds))],
    [
      "p50 · p95",
      ({ p50_seconds, p95_seconds }) => (
        <>
          <span className={classes.figure}>{seconds(p50_seconds)} ·</span> <span className={classes.figure}>{seconds(p95_seconds)}</span>
        </>
      ),
    ],
    [t("health.hour"), ({ finished }) => finished.toLocaleString(formats())],
    [t("health.hour_errors"), ({ errors }) => errors.toLocaleString(formats())],
  ];
  return (
    <Card padding={0}>
      <Table className={`${rows.table} ${classes.queues}`} aria-label={t("health.queues")} verticalSpacing="sm" horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("health.queue")}</Table.Th>
            {columns.map(([label]) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queues.map((queue) => (
            <Table.Tr key={queue.queue}>
              <Table.Td className={rows.narrow}>
                <div className={classes.head}>
                  <span className={classes.dot} data-state={state(queue)} aria-hidden="true" />
                  <TextLink to="/health" search={{ ...view, queue: queue.queue }} fw={600} resetScroll={false}>
                    {t(`health.queue_${queue.queue}`)}
                  </TextLink>
                </div>
                <Text size="xs" c="dimmed">
                  {t(`health.state_${state(queue)}`)}
                </Text>
              </Table.Td>
              {columns.map(([label, value]) => (
                <Table.Td key={label} data-label={label}>
                  {value(queue)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

/** Of the outbox the figure and a list of it are the same; other queues have more than one status that waits. */
function Pending({ queue: { queue, pending } }: { queue: QueueHealth }) {
  const figure = pending.toLocaleString(formats());
  if (queue !== "outbox") return figure;
  return (
    <TextLink to="/deliveries" search={{ queue, status: "pending" }}>
      {figure}
    </TextLink>
  );
}

/** Beside the engine's work whose worker is gone: the processes that nobody moves on, which are listed beneath. */
function StuckCount() {
  const { t } = useTranslation();
  const count = useStuck(false).data?.length ?? 0;
  if (count === 0) return null;
  return (
    <TextLink to="/health" search={(view) => view} hash="stuck-title" size="xs" display="block">
      {t("health.stuck_count", { count })}
    </TextLink>
  );
}

/** The figure leads to what it counts: dead letters to their list, failures to the incidents they make up. */
function Dead({ queue: { queue, dead } }: { queue: QueueHealth }) {
  const { t } = useTranslation();
  const figure = dead.toLocaleString(formats());
  if (queue === "runs" || queue === "sessions") {
    return (
      <>
        <TextLink to="/health" search={{ queue }} hash="incidents-title">
          {figure}
        </TextLink>
        <Text size="xs" c="dimmed">
          {t("health.failed_day")}
        </Text>
      </>
    );
  }
  return (
    <TextLink to="/deliveries" search={{ queue, status: DEAD[queue] }}>
      {figure}
    </TextLink>
  );
}

const STALE_MS = 25_000;

/** Figures that are not renewed any more must not look as if all were well: a server may hang without failing. */
function Stale({ at }: { at: number }) {
  const { t } = useTranslation();
  const [stale, setStale] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStale(true), STALE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!stale) return null;
  return (
    <Alert role="alert" color="rust" icon={<IconAlertTriangle aria-hidden="true" />}>
      {t("health.stale", { time: new Date(at).toLocaleTimeString(formats()) })}
    </Alert>
  );
}

/** Nobody works: then nothing moves, whatever the figures say. */
function Silent() {
  const { t } = useTranslation();
  const { data } = useWorkers();
  if (!data || data.some(({ alive }) => alive)) return null;
  const last = data.flatMap(({ seen_at }) => seen_at ?? []).sort().at(-1);
  return (
    <Alert color="rust" icon={<IconAlertTriangle aria-hidden="true" />} title={t("health.all_silent")}>
      <Text size="sm">
        <Trans i18nKey="health.all_silent_hint" components={{ code: <Code /> }} /> {last && <When at={last} as="exact" />}
      </Text>
    </Alert>
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
        {types.slice(0, 10).map(({ type, ready, delayed, blocked, oldest }) => (
          <Group key={type} gap="sm">
            <TextLink to="/runs" search={{ prefix: type, status: "pending" }}>
              {t("health.unhandled_type", { type, count: ready + delayed + blocked })}
            </TextLink>
            {oldest && <When at={oldest} />}
          </Group>
        ))}
        <Text size="sm">{t("health.unhandled_hint")}</Text>
      </Stack>
    </Alert>
  );
}
