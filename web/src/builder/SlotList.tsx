/** The slots of the skeleton: which are filled, which are not, which differ from what was saved last, and where something is wrong. */
import { Text, UnstyledButton } from "@mantine/core";
import { IconAlertTriangleFilled, IconLayoutDashboard } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Definition } from "../api/types";
import { slotTitle } from "../canvas/slotTitle";
import { WHOLE } from "../features/workflows/view";
import type { Json } from "../json/json";
import { same } from "../json/json";
import classes from "./Builder.module.css";
import { type Patches, readPatches } from "./model/patch";
import { isError, type PlacedProblem } from "./model/problems";

interface Props {
  slots: readonly string[];
  patches: Patches;
  saved: Definition;
  chosen: string;
  problems: readonly PlacedProblem[];
  onChoose: (slot: string) => void;
}

export function SlotList({ slots, patches, saved, chosen, problems, onChoose }: Props) {
  const { t } = useTranslation();
  const before = readPatches(saved.patches as Json);
  const all = [...new Set([...slots, ...Object.keys(patches)])];
  return (
    <nav aria-label={t("builder.slots")}>
      <Text size="xs" c="dimmed" fw={600} component="h2" mb={4}>
        {t("builder.slots")}
      </Text>
      <ul className={classes.slots}>
        {all.map((slot) => {
          const filled = (patches[slot]?.nodes.length ?? 0) > 0;
          const state = filled && !same(patches[slot], before[slot]) ? "changed" : filled ? "filled" : "empty";
          const wrong = problems.some((problem) => problem.region?.slot === slot && isError(problem));
          return (
            <li key={slot}>
              <UnstyledButton className={classes.slot} aria-current={slot === chosen} onClick={() => onChoose(slot)}>
                <span className={classes.dot} data-state={state} role="img" aria-label={t(`builder.slot_${state}`)} />
                <span style={{ flex: 1 }}>{slotTitle(slot)}</span>
                {wrong && <IconAlertTriangleFilled size={14} color="var(--bad)" role="img" aria-label={t("builder.has_error")} />}
              </UnstyledButton>
            </li>
          );
        })}
        <li>
          <UnstyledButton className={classes.slot} aria-current={chosen === WHOLE} onClick={() => onChoose(WHOLE)} title={t("builder.whole_hint")}>
            <IconLayoutDashboard size={14} aria-hidden="true" />
            {t("builder.whole")}
          </UnstyledButton>
        </li>
      </ul>
    </nav>
  );
}
