/** Parts of one kind as rows that open, and the button for a new one. */
import { Group, Stack, Table, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ActionButton } from "../../ui/ActionButton";
import { Notice } from "../../ui/Notice";
import rows from "../../ui/RowTable.module.css";

interface Props {
  label: string;
  columns: readonly string[];
  items: readonly { name: string; cells: readonly ReactNode[] }[];
  needs: string;
  add: string;
  empty: string;
  onOpen: (name: string) => void;
}

export function PartList({ label, columns, items, needs, add, empty, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <ActionButton needs={needs} leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => onOpen("")}>
          {add}
        </ActionButton>
      </Group>
      {items.length === 0 ? (
        <Notice>{empty}</Notice>
      ) : (
        <Table className={rows.table} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("parts.name")}</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ name, cells }) => (
              <Table.Tr key={name}>
                <Table.Td data-label={t("parts.name")}>
                  <UnstyledButton fw={500} c="var(--mantine-color-anchor)" onClick={() => onOpen(name)}>
                    {name}
                  </UnstyledButton>
                </Table.Td>
                {cells.map((cell, at) => (
                  <Table.Td key={columns[at]} data-label={columns[at]}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
