/** What can be added, by groups: dragged onto the drawing, or chosen to be put behind what is selected. */
import { Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TypeIcon } from "../canvas/StepNode";
import classes from "./Builder.module.css";
import { found, type PaletteItem } from "./palette";
import { useGroupTitle, useItemTitle } from "./useItemTitle";

/** What a dragged step is called on its way; other drags mean nothing here. */
export const DRAGGED = "application/x-holdfast-step";

export function Palette({ items, onChoose }: { items: readonly PaletteItem[]; onChoose: (item: PaletteItem) => void }) {
  const { t } = useTranslation();
  const titleOf = useItemTitle();
  const groupOf = useGroupTitle();
  const [typed, setTyped] = useState("");
  const shown = found(items, typed, titleOf);
  return (
    <Stack gap={0} component="section" aria-label={t("builder.palette")}>
      <TextInput size="xs" mb={4} aria-label={t("builder.palette_search")} placeholder={t("builder.palette_search")} leftSection={<IconSearch size={14} aria-hidden="true" />} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      {shown.map((item, at) => (
        <div key={item.entry.id}>
          {item.group !== shown[at - 1]?.group && (
            <Text size="xs" c="dimmed" fw={600} component="h3" mb={2} mt={8}>
              {groupOf(item)}
            </Text>
          )}
          <UnstyledButton
            className={classes.item}
            title={item.entry.description}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(DRAGGED, item.entry.id);
              event.dataTransfer.effectAllowed = "copy";
            }}
            onClick={() => onChoose(item)}
          >
            <TypeIcon type={item.entry.type} size={16} />
            {titleOf(item)}
          </UnstyledButton>
        </div>
      ))}
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("builder.palette_none")}
        </Text>
      )}
    </Stack>
  );
}
