/** Deliveries, newest first; each opens with everything that is known of it. */
import { Anchor, Badge, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import type { AnyLetter } from "./letters";

const COLORS: Readonly<Record<string, string>> = { dead: "rust", dead_letter: "rust", failed: "rust", published: "kelp", completed: "kelp", processing: "ochre" };

export function LetterBadge({ status }: { status: string }) {
  const { t } = useTranslation();
  return <Badge color={COLORS[status] ?? "slate"}>{t(`deliveries.status_${status as "dead"}`, { defaultValue: status })}</Badge>;
}

export function LetterTable({ letters, onOpen }: { letters: readonly AnyLetter[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  return (
    <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("deliveries.type")}</Table.Th>
          <Table.Th>{t("runs.status")}</Table.Th>
          <Table.Th>{t("runs.attempts")}</Table.Th>
          <Table.Th>{t("deliveries.reason")}</Table.Th>
          <Table.Th>{t("deliveries.made")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {letters.map((letter) => (
          <Table.Tr key={letter.id}>
            <Table.Td className={rows.main}>
              <Anchor component="button" type="button" ta="left" onClick={() => onOpen(letter.id)}>
                {letter.type}
              </Anchor>
              {letter.about && (
                <Text size="xs" c="dimmed">
                  {letter.about}
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label={t("runs.status")} className={rows.narrow}>
              <LetterBadge status={letter.status} />
            </Table.Td>
            <Table.Td data-label={t("runs.attempts")} className={rows.narrow}>
              {letter.attempts}
            </Table.Td>
            <Table.Td data-label={t("deliveries.reason")} style={{ overflowWrap: "anywhere" }}>
              {letter.error ? <span lang="en">{letter.error}</span> : "–"}
            </Table.Td>
            <Table.Td data-label={t("deliveries.made")} className={rows.narrow}>
              <When at={letter.at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
