/** Who works, on what, when they were last heard of, and what they have in hand. */
import { Badge, Code, Table, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { useWorkers } from "../../api/operate";
import { TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import rows from "../../ui/RowTable.module.css";
import { When } from "../../ui/When";

const MOST = 6;

export function Workers() {
  const { t } = useTranslation();
  const query = useWorkers();
  return (
    <Loaded query={query} lines={2} inset>
      {(workers) =>
        workers.length === 0 ? (
          <Text c="dimmed" px="md" pb="md">
            <Trans i18nKey="health.no_workers" components={{ code: <Code /> }} />
          </Text>
        ) : (
          <Table className={rows.table} verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("health.worker")}</Table.Th>
                <Table.Th>{t("health.beat")}</Table.Th>
                <Table.Th>{t("health.executes")}</Table.Th>
                <Table.Th>{t("health.in_hand")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workers.map((worker) => {
                const executes = [...worker.types, ...worker.prefixes.map((prefix) => `${prefix}*`)];
                return (
                  <Table.Tr key={worker.name}>
                    <Table.Td className={rows.main}>
                      <code>{worker.name}</code>
                    </Table.Td>
                    <Table.Td data-label={t("health.beat")} className={rows.narrow}>
                      <Badge color={worker.alive ? "kelp" : "rust"}>{t(worker.alive ? "health.alive" : "health.silent")}</Badge>{" "}
                      {worker.seen_at && <When at={worker.seen_at} />}
                    </Table.Td>
                    <Table.Td data-label={t("health.executes")} style={{ overflowWrap: "anywhere" }}>
                      {executes.length === 0 ? "–" : executes.slice(0, MOST).join(", ")}
                      {executes.length > MOST && ` ${t("health.and_more", { count: executes.length - MOST })}`}
                    </Table.Td>
                    <Table.Td data-label={t("health.in_hand")}>
                      {worker.in_hand.length === 0 && "–"}
                      {worker.in_hand.slice(0, MOST).map((each) => (
                        <div key={`${each.queue} ${each.id ?? each.what}`}>
                          {each.queue === "runs" && each.id ? (
                            <TextLink to="/runs/$runId" params={{ runId: each.id }}>
                              {each.what}
                            </TextLink>
                          ) : (
                            each.what
                          )}
                        </div>
                      ))}
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        )
      }
    </Loaded>
  );
}
