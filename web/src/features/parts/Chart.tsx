/** Who reports to whom: approvals that ask somebody's manager follow it. */
import { Button, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useChart, useSetManager } from "../../api/parts";
import { useSignedIn } from "../../session/SignedIn";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { ProblemAlert } from "../../ui/ProblemAlert";
import rows from "../../ui/RowTable.module.css";

export function Chart() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const query = useChart();
  const change = useSetManager();
  if (!may("users:read")) return <Notice>{t("common.needs_permission", { permission: "users:read" })}</Notice>;
  return (
    <Loaded query={query} lines={5}>
      {({ pages }) => {
        const people = pages.flatMap(({ items }) => items);
        return (
          <Stack gap="md">
            <Text c="dimmed">{t("parts.chart_hint")}</Text>
            {change.isError && <ProblemAlert error={change.error} />}
            <Table className={rows.table} aria-label={t("parts.chart")}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("parts.person")}</Table.Th>
                  <Table.Th>{t("parts.manager")}</Table.Th>
                  <Table.Th>{t("parts.reports")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {people.map((person) => (
                  <Table.Tr key={person.name}>
                    <Table.Td data-label={t("parts.person")}>
                      <Text fw={500}>{person.display_name || person.name}</Text>
                      <Text size="xs" c="dimmed">
                        {person.roles.join(", ")}
                      </Text>
                    </Table.Td>
                    <Table.Td data-label={t("parts.manager")}>
                      <NativeSelect
                        size="xs"
                        aria-label={t("parts.manager_of", { name: person.display_name || person.name })}
                        disabled={!may("users:write") || change.isPending}
                        value={person.manager ?? ""}
                        data={[{ value: "", label: t("parts.nobody") }, ...people.filter(({ name, active }) => name !== person.name && (active || name === person.manager)).map(({ name, display_name }) => ({ value: name, label: display_name || name }))]}
                        onChange={(event) => change.mutate({ name: person.name, manager: event.currentTarget.value || null })}
                      />
                    </Table.Td>
                    <Table.Td data-label={t("parts.reports")}>{person.reports}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {query.hasNextPage && (
              <Group justify="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t("documents.more")}
                </Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
