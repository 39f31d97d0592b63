/** The queue by type: what is ready, later or waits for another, whether anybody executes it, and a way to pause it. */
import { Badge, Card, Table, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { usePausePrefix, useRunTypes } from "../../api/operate";
import { ActionButton } from "../../ui/ActionButton";
import { TextLink } from "../../ui/LinkButton";
import { ProblemAlert } from "../../ui/ProblemAlert";
import rows from "../../ui/RowTable.module.css";

export function RunTypes() {
  const { t } = useTranslation();
  const { data } = useRunTypes();
  const pause = usePausePrefix();
  if (!data || data.length === 0) return null;
  return (
    <Card padding={0} component="section" aria-labelledby="types-title">
      <Title order={2} size="h3" id="types-title" p="md">
        {t("runs.by_type")}
      </Title>
      {pause.isError && <ProblemAlert error={pause.error} />}
      <Table className={rows.table} verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("runs.type")}</Table.Th>
            <Table.Th>{t("runs.ready")}</Table.Th>
            <Table.Th>{t("runs.delayed")}</Table.Th>
            <Table.Th>{t("runs.blocked")}</Table.Th>
            <Table.Th>{t("runs.status_leased")}</Table.Th>
            <Table.Th>{t("runs.handled")}</Table.Th>
            <Table.Th>{t("runs.pause")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((each) => (
            <Table.Tr key={each.type}>
              <Table.Td className={rows.main}>
                <TextLink to="/runs" search={{ prefix: each.type }}>
                  {t("runs.of_type", { type: each.type })}
                </TextLink>
              </Table.Td>
              <Table.Td data-label={t("runs.ready")}>{each.ready.toLocaleString(formats())}</Table.Td>
              <Table.Td data-label={t("runs.delayed")}>{each.delayed.toLocaleString(formats())}</Table.Td>
              <Table.Td data-label={t("runs.blocked")}>{each.blocked.toLocaleString(formats())}</Table.Td>
              <Table.Td data-label={t("runs.status_leased")}>{each.leased.toLocaleString(formats())}</Table.Td>
              <Table.Td data-label={t("runs.handled")}>
                <Badge color={each.handled ? "kelp" : "ochre"}>{t(each.handled ? "runs.by_worker" : "runs.unhandled")}</Badge>
              </Table.Td>
              <Table.Td data-label={t("runs.pause")} className={rows.narrow}>
                {each.paused_by_prefix !== null ? (
                  <Badge color="ochre">{t("runs.is_paused")}</Badge>
                ) : (
                  <ActionButton needs="runs:operate" size="compact-sm" variant="default" loading={pause.isPending && pause.variables === each.type} onClick={() => pause.mutate(each.type)} aria-label={t("runs.pause_type", { type: each.type })}>
                    {t("runs.pause")}
                  </ActionButton>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
