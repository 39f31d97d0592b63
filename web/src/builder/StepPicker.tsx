/** The list behind every "+": type to find, arrows to choose, Enter to add. */
import { Modal, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { TypeIcon } from "../canvas/StepNode";
import classes from "./Builder.module.css";
import { found, type PaletteItem } from "./palette";
import { useGroupTitle, useItemTitle } from "./useItemTitle";

interface Props {
  title: string;
  items: readonly PaletteItem[];
  onChoose: (item: PaletteItem) => void;
  onClose: () => void;
}

export function StepPicker({ title, items, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const titleOf = useItemTitle();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const groupOf = useGroupTitle();
  const shown = found(items, typed, titleOf);
  const active = Math.min(at, shown.length - 1);
  const move = (to: number) => {
    setAt(to);
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(Math.min(active + 1, shown.length - 1));
    else if (event.key === "ArrowUp") move(Math.max(active - 1, 0));
    else if (event.key === "Enter" && shown[active]) onChoose(shown[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }} size="md">
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        aria-label={t("builder.palette_search")}
        placeholder={t("builder.palette_search")}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        mb="xs"
      />
      <div role="listbox" id={`${id}-list`} aria-label={title} className={classes.results}>
        {shown.map((item, index) => (
          <div key={item.entry.id}>
            {item.group !== shown[index - 1]?.group && (
              <Text size="xs" c="dimmed" fw={600} mt={6} role="presentation">
                {groupOf(item)}
              </Text>
            )}
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field above takes the keys for the whole list */}
            <div id={`${id}-${index}`} role="option" aria-selected={index === active} data-active={index === active || undefined} className={classes.item} onClick={() => onChoose(item)} onMouseMove={() => setAt(index)}>
              <TypeIcon type={item.entry.type} size={16} />
              <span>
                {titleOf(item)}
                <Text size="xs" c="dimmed" component="span" display="block">
                  {item.entry.description}
                </Text>
              </span>
            </div>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("builder.palette_none")}
        </Text>
      )}
    </Modal>
  );
}
