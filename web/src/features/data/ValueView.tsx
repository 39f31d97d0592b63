/** A value as JSON, text or table. A long one is shown in part; the whole is drawn on demand or saved as a file, every digit there. */
import { Button, Group, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText, type Json, stringify } from "../../json/json";
import { CopyButton } from "../../ui/CopyButton";
import classes from "./DataPage.module.css";
import type { View } from "./filter";
import { partOf, tableOf } from "./model";
import { saveFile } from "./saveFile";

interface Props {
  value: Json;
  name: string;
  view: View;
  onView: (view: View) => void;
}

export function ValueView({ value, name, view, onView }: Props) {
  const { t, i18n } = useTranslation();
  const text = useMemo(() => (view === "text" ? copyText(value) : stringify(value, 2)), [value, view]);
  const table = useMemo(() => (view === "table" ? tableOf(value) : null), [value, view]);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t("data.view")}
          size="xs"
          value={view}
          data={(["json", "text", "table"] as const).map((each) => ({ value: each, label: t(`data.view_${each}`) }))}
          onChange={(next) => onView(next)}
        />
        <Group gap="xs">
          <CopyButton text={text} label={t("data.copy_value")} />
          <Button size="xs" variant="default" onClick={() => saveFile([stringify(value)], `${name}.json`, "application/json")}>
            {t("data.save_value")}
          </Button>
        </Group>
      </Group>
      {view !== "table" && <LongText key={text} text={text} label={t("data.value")} />}
      {view === "table" && !table && <Text c="dimmed">{t("data.no_table")}</Text>}
      {table && (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        <div className={classes.table} tabIndex={0} role="region" aria-label={t("data.value")}>
          <Table>
            {table.columns.length > 0 && (
              <Table.Thead>
                <Table.Tr>
                  {table.columns.map((column) => (
                    <Table.Th key={column}>{column}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
            )}
            <Table.Tbody>
              {table.rows.map((row, at) => (
                <Table.Tr key={at}>
                  {row.map((cell, column) => (
                    <Table.Td key={column}>{cell}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {table.rows.length < table.length && (
            <Text size="sm" c="dimmed">
              {t("data.part_rows", { shown: table.rows.length, all: table.length.toLocaleString(i18n.language) })}
            </Text>
          )}
        </div>
      )}
    </Stack>
  );
}

export function LongText({ text, label }: { text: string; label: string }) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const part = whole ? { text, length: text.length } : partOf(text);
  const cut = part.text.length < part.length;
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0} role="region" aria-label={label}>
        {part.text}
      </pre>
      {cut && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {t("data.part", { shown: part.text.length.toLocaleString(i18n.language), all: part.length.toLocaleString(i18n.language) })}
          </Text>
          <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
            {t("data.show_whole")}
          </Button>
        </Group>
      )}
    </>
  );
}
