/** How everything is doing, in four figures; each leads to exactly the list it counts. */
import { SimpleGrid, Skeleton } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useProcesses, useStuck } from "../../api/processes";
import { useFailedRuns, useRunStats } from "../../api/queries";
import { formats } from "../../i18n/formats";
import { useSignedIn } from "../../session/SignedIn";
import { useNow } from "../../ui/useNow";
import { countByStatus } from "../runs/state";
import classes from "./Figures.module.css";

export function HealthFigures({ every }: { every: number | false }) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const stuck = useStuck(every);
  const stats = useRunStats(true);
  const paused = useProcesses({ status: "paused" }, every);
  const runs = stats.data && countByStatus(stats.data);
  const now = useNow();
  // To the hour, so that it is the same address for a while.
  const since = new Date(Math.floor(now.getTime() / HOUR) * HOUR - 24 * HOUR).toISOString();
  const failed = useFailedRuns(since, every);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {may("processes:read") && <Figure label={t("home.stuck")} value={stuck.data?.length} bad to={{ to: "/processes", search: { stuck: true } }} />}
      {may("processes:read") && (
        <Figure
          label={t("home.paused")}
          value={paused.data?.pages.flatMap((page) => page.items).length}
          more={paused.hasNextPage}
          bad
          to={{ to: "/processes", search: { status: "paused" } }}
        />
      )}
      {may("runs:operate") && <Figure label={t("home.failed_runs")} value={failed.data?.count} more={failed.data?.capped} bad to={{ to: "/runs", search: { status: "failed", since } }} />}
      {may("runs:read") && <Figure label={t("home.waiting_runs")} value={runs?.pending} to={{ to: "/runs", search: { status: "pending" } }} />}
    </SimpleGrid>
  );
}

const HOUR = 3_600_000;

interface FigureProps {
  label: string;
  value: number | undefined;
  /** There are more than were counted. */
  more?: boolean | undefined;
  to: LinkProps;
  bad?: boolean;
}

function Figure({ label, value, more = false, to, bad = false }: FigureProps) {
  return (
    <Link {...to} className={classes.figure}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value} style={bad && (value ?? 0) > 0 ? { color: "var(--mantine-color-error)" } : undefined}>
        {value === undefined ? <Skeleton height={34} width={48} mt={6} /> : `${value.toLocaleString(formats())}${more ? "+" : ""}`}
      </span>
    </Link>
  );
}
