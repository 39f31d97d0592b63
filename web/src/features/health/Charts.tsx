/** What one queue did over time: three charts, each with the same figures as a table beside it. */
import { Card, Group, SegmentedControl, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { type Point, useSeries } from "../../api/operate";
import { approximate, type JsonNumber } from "../../json/exact";
import { later } from "../../ui/later";
import { Loaded } from "../../ui/Loaded";
import { clockTime } from "../../ui/time";
import classes from "./HealthPage.module.css";
import { type Queue, seconds, type Span, SPANS, summed } from "./view";

const Chart = later(() => import("./Chart").then((module) => module.Chart));

interface Props {
  queue: Queue;
  span: Span;
  onSpan: (span: Span) => void;
}

const plain = (value: JsonNumber | null) => (value === null ? null : approximate(value));

export function Charts({ queue, span, onSpan }: Props) {
  const { t } = useTranslation();
  const query = useSeries(queue, span);
  return (
    <Card component="section" aria-labelledby="charts-title">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h3" id="charts-title">
          {t("health.over_time", { queue: t(`health.queue_${queue}`) })}
        </Title>
        <SegmentedControl
          aria-label={t("health.span")}
          value={span}
          data={SPANS.map((each) => ({ value: each, label: t(`health.span_${each}`) }))}
          onChange={(value) => onSpan(value)}
        />
      </Group>
      <Loaded query={query} lines={3} height={190}>
        {({ points }) => <Drawn points={points} />}
      </Loaded>
    </Card>
  );
}

function Drawn({ points }: { points: readonly Point[] }) {
  const { t } = useTranslation();
  const at = points.map((point) => new Date(point.at).getTime() / 1000);
  const sum = summed(points);
  const busy = points.filter(({ finished, errors }) => finished > 0 || errors > 0);
  const deep = points.filter(({ pending }) => pending !== null);
  return (
    <Stack gap="xl">
      <One title={t("health.throughput")} note={t("health.throughput_sum", { finished: sum.finished.toLocaleString(formats()), errors: sum.errors.toLocaleString(formats()) })}
        chart={<Chart label={t("health.throughput")} at={at} lines={[
          { label: t("health.finished"), color: "--good", values: points.map(({ finished }) => finished) },
          { label: t("health.errors"), color: "--bad", values: points.map(({ errors }) => errors) },
        ]} />}
        columns={[t("health.finished"), t("health.errors")]}
        rows={busy.map((point) => [point.at, point.finished.toLocaleString(formats()), point.errors.toLocaleString(formats())])}
      />
      <One title={t("health.latency")} note={t("health.latency_note")}
        chart={<Chart label={t("health.latency")} at={at} lines={[
          { label: "p50", color: "--good", values: points.map((point) => plain(point.p50_seconds)) },
          { label: "p95", color: "--bad", values: points.map((point) => plain(point.p95_seconds)) },
        ]} />}
        columns={["p50", "p95"]}
        rows={busy.map((point) => [point.at, seconds(point.p50_seconds), seconds(point.p95_seconds)])}
      />
      <One title={t("health.depth")} note={t("health.depth_note")}
        chart={<Chart label={t("health.depth")} at={at} lines={[
          { label: t("health.pending"), color: "--mark", values: points.map(({ pending }) => pending) },
          { label: t("health.stuck"), color: "--plain", values: points.map(({ stuck }) => stuck) },
          { label: t("health.dead"), color: "--bad", values: points.map(({ dead }) => dead) },
        ]} />}
        columns={[t("health.pending"), t("health.stuck"), t("health.dead")]}
        rows={deep.map((point) => [point.at, ...[point.pending, point.stuck, point.dead].map((each) => (each ?? 0).toLocaleString(formats()))])}
      />
    </Stack>
  );
}

interface OneProps {
  title: string;
  note: string;
  chart: ReactNode;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

function One({ title, note, chart, columns, rows }: OneProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={title}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" mb="xs">
        {note}
      </Text>
      <div className={classes.chart}>
        <Suspense fallback={<Skeleton height={190} />}>{chart}</Suspense>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard */}
        <div className={classes.table} tabIndex={0} role="region" aria-label={t("health.figures_of", { chart: title })}>
          {rows.length === 0 ? (
            <Text size="sm" c="dimmed" p="md">
              {t("health.nothing")}
            </Text>
          ) : (
            <Table fz="xs" stickyHeader>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("health.at")}</Table.Th>
                  {columns.map((column) => (
                    <Table.Th key={column}>{column}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {[...rows].reverse().map(([at = "", ...values]) => (
                  <Table.Tr key={at}>
                    <Table.Td>{clockTime(new Date(at))}</Table.Td>
                    {values.map((value, place) => (
                      <Table.Td key={columns[place]}>{value}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </div>
      </div>
    </section>
  );
}
