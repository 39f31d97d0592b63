/** The runs that a run started, as a tree: each opens to those that it started itself. */
import { Group, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRun } from "../../api/queries";
import type { StartedRun } from "../../api/types";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { tally } from "./attempts";
import { duration } from "./state";
import { StatusBadge } from "./StatusBadge";
import classes from "./Steps.module.css";

export function StartedRuns({ runs }: { runs: readonly StartedRun[] }) {
  const { t } = useTranslation();
  const { all, ended, failed } = tally(runs);
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t("runs.started_tally", { all, ended, failed })}
      </Text>
      <Branch runs={runs} />
    </>
  );
}

function Branch({ runs }: { runs: readonly StartedRun[] }) {
  return (
    <ul className={classes.tree}>
      {runs.map((run) => (
        <Leaf key={run.id} run={run} />
      ))}
    </ul>
  );
}

function Leaf({ run }: { run: StartedRun }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const Arrow = open ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <UnstyledButton aria-expanded={open} aria-label={t("runs.started_of", { type: run.type })} onClick={() => setOpen(!open)}>
          <Arrow size={18} aria-hidden="true" style={{ display: "block", marginTop: 2 }} />
        </UnstyledButton>
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <TextLink to="/runs/$runId" params={{ runId: run.id }} style={{ overflowWrap: "anywhere" }}>
              {run.type}
            </TextLink>
            <StatusBadge status={run.status} />
            {run.finished_at && (
              <Text size="xs" c="dimmed">
                {t("runs.after", { duration: duration(run.created_at, run.finished_at) })}
              </Text>
            )}
          </Group>
          {run.last_error && (
            <Text size="xs" c="var(--mantine-color-error)" lang="en" lineClamp={2}>
              {run.last_error}
            </Text>
          )}
          {open && <Below id={run.id} />}
        </div>
      </Group>
    </li>
  );
}

/** Asked for when it is opened: a tree may be deep. */
function Below({ id }: { id: string }) {
  const { t } = useTranslation();
  const query = useRun(id);
  return (
    <Loaded query={query} lines={1} height={20}>
      {({ children }) =>
        children.length > 0 ? (
          <Branch runs={children} />
        ) : (
          <Text size="sm" c="dimmed">
            {t("runs.started_none")}
          </Text>
        )
      }
    </Loaded>
  );
}
