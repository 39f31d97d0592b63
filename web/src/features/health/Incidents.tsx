/** What went wrong within a day, grouped by its cause, the most frequent first. */
import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { type Incident, useIncidents } from "../../api/operate";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";
import { DEAD } from "../deliveries/view";
import type { Queue } from "./view";

export function Incidents({ queue }: { queue: Queue | undefined }) {
  const { t } = useTranslation();
  const query = useIncidents(queue);
  return (
    <Loaded query={query} lines={3} inset>
      {(incidents) =>
        incidents.length === 0 ? (
          <Text c="dimmed" px="md" pb="md">
            {t("health.no_incidents")}
          </Text>
        ) : (
          <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("health.error")}</Table.Th>
                <Table.Th>{t("health.count")}</Table.Th>
                <Table.Th>{t("health.what")}</Table.Th>
                <Table.Th>{t("health.since")}</Table.Th>
                <Table.Th>{t("health.last")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {incidents.map((incident) => (
                <Table.Tr key={`${incident.queue} ${incident.what} ${incident.error}`}>
                  <Table.Td className={rows.main}>
                    <Example incident={incident} />
                  </Table.Td>
                  <Table.Td data-label={t("health.count")} className={rows.narrow}>
                    {incident.count.toLocaleString(formats())}
                  </Table.Td>
                  <Table.Td data-label={t("health.what")}>
                    <AllOf incident={incident} />
                    <Text size="xs" c="dimmed">
                      {t(`health.queue_${incident.queue}`)}
                    </Text>
                  </Table.Td>
                  <Table.Td data-label={t("health.since")} className={rows.narrow}>
                    <When at={incident.first_at} />
                  </Table.Td>
                  <Table.Td data-label={t("health.last")} className={rows.narrow}>
                    <When at={incident.last_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </Loaded>
  );
}

/** Of what it is, leading to all of its kind that failed: there they are mended at once. */
function AllOf({ incident: { queue, what } }: { incident: Incident }) {
  if (queue === "runs") {
    return (
      <TextLink to="/runs" search={{ status: "failed", prefix: what }}>
        {what}
      </TextLink>
    );
  }
  if (queue === "sessions") return <>{what}</>;
  return (
    <TextLink to="/deliveries" search={{ queue, status: DEAD[queue], type: what }}>
      {what}
    </TextLink>
  );
}

/** The error, leading to the latest that has it. */
function Example({ incident: { queue, error, redacted, example, what } }: { incident: Incident }) {
  const { t } = useTranslation();
  const words = redacted ? t("health.redacted") : error || t("health.no_error");
  if (queue === "runs") {
    return (
      <TextLink to="/runs/$runId" params={{ runId: example }}>
        {words}
      </TextLink>
    );
  }
  if (queue === "sessions") {
    return (
      <TextLink to="/sessions" search={{ status: "failed", workflow: what }}>
        {words}
      </TextLink>
    );
  }
  return (
    <TextLink to="/deliveries" search={{ queue, status: DEAD[queue], type: what, item: example }}>
      {words}
    </TextLink>
  );
}
