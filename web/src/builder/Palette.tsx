/** What can be added, by groups: dragged onto the drawing, or chosen to be put behind what is selected. */
import { Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TypeIcon } from "../canvas/StepNode";
import classes from "./Builder.module.css";
import { found, GROUPS, type PaletteItem } from "./palette";
import { useItemTitle } from "./useItemTitle";

/** What a dragged step is called on its way; other drags mean nothing here. */
export const DRAGGED = "application/x-holdfast-step";

export function Palette({ items, onChoose }: { items: readonly PaletteItem[]; onChoose: (item: PaletteItem) => void }) {
  const { t } = useTranslation();
  const titleOf = useItemTitle();
  const [typed, setTyped] = useState("");
  const shown = found(items, typed, titleOf);
  return (
    <Stack gap="xs" component="section" aria-label={t("builder.palette")}>
      <TextInput size="xs" aria-label={t("builder.palette_search")} placeholder={t("builder.palette_search")} leftSection={<IconSearch size={14} aria-hidden="true" />} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      {GROUPS.map((group) => {
        const here = shown.filter((item) => item.group === group);
        if (here.length === 0) return null;
        return (
          <div key={group}>
            <Text size="xs" c="dimmed" fw={600} component="h3" mb={2} mt={4}>
              {t(`builder.group_${group}`)}
            </Text>
            {here.map((item) => (
              <UnstyledButton
                key={item.key}
                className={classes.item}
                title={item.description}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED, item.key);
                  event.dataTransfer.effectAllowed = "copy";
                }}
                onClick={() => onChoose(item)}
              >
                <TypeIcon type={item.type} size={16} />
                {titleOf(item)}
              </UnstyledButton>
            ))}
          </div>
        );
      })}
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("builder.palette_none")}
        </Text>
      )}
    </Stack>
  );
}
