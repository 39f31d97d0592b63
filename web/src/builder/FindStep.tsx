/** Finds a step of the draft by its name, in whichever slot or body it is, and goes there. */
import { Select } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { slotTitle } from "../canvas/slotTitle";
import type { Patches } from "./model/patch";
import { type PlacedStep, stepsOf } from "./model/regions";

export function FindStep({ patches, onFound }: { patches: Patches; onFound: (step: PlacedStep) => void }) {
  const { t } = useTranslation();
  const steps = useMemo(() => stepsOf(patches), [patches]);
  const data = useMemo(() => steps.map(({ name, region }, at) => ({ value: String(at), label: [name, slotTitle(region.slot), ...region.bodies].join(" · ") })), [steps]);
  if (steps.length === 0) return null;
  return (
    <Select
      size="xs"
      searchable
      aria-label={t("builder.find_step")}
      placeholder={t("builder.find_step")}
      leftSection={<IconSearch size={14} aria-hidden="true" />}
      nothingFoundMessage={t("builder.palette_none")}
      data={data}
      value={null}
      limit={50}
      w="14rem"
      onChange={(chosen) => {
        const step = chosen === null ? undefined : steps[Number(chosen)];
        if (step) onFound(step);
      }}
    />
  );
}
