/** A workflow as a heat-map: how many wait where, how long steps take; and the same figures as a table. */
import { Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formats } from "../../i18n/formats";
import { graphOf } from "../../canvas/graph";
import { LazyCanvas } from "../../canvas/LazyCanvas";
import { useFlowFigures, useFlows } from "../../api/operate";
import { useCompiled } from "../../api/processes";
import { approximate, type JsonNumber } from "../../json/exact";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import rows from "../../ui/RowTable.module.css";
import { heatOf } from "./heat";
import { seconds } from "./view";

interface Props {
  flow: string | undefined;
  onFlow: (flow: string) => void;
}

const NO_FIGURES = { nodes: [], edges: [] };
const inSeconds = (ms: JsonNumber | null) => seconds(ms === null ? null : approximate(ms) / 1000);

export function Flow({ flow, onFlow }: Props) {
  const { t } = useTranslation();
  const flows = useFlows();
  const chosen = flows.data?.find(({ type }) => type === flow) ?? flows.data?.[0];
  const compiled = useCompiled(chosen?.definition);
  const figures = useFlowFigures(chosen?.type);
  const graph = useMemo(() => (compiled.data ? graphOf(compiled.data) : null), [compiled.data]);
  const overlay = useMemo(() => heatOf(figures.data ?? NO_FIGURES), [figures.data]);
  return (
    <Loaded query={flows} lines={1} height={320} inset>
      {(all) =>
        !chosen ? (
          <Notice>{t("health.flow_none")}</Notice>
        ) : (
          <Stack gap="md" pb="md">
            <Group px="md" justify="space-between" align="flex-end">
              <Text size="sm" c="dimmed" maw="40rem">
                {t("health.flow_intro")}
              </Text>
              <NativeSelect aria-label={t("health.flow_of")} value={chosen.type} data={all.map(({ type, title }) => ({ value: type, label: title }))} onChange={(event) => onFlow(event.currentTarget.value)} />
            </Group>
            <div style={{ padding: "0 1rem" }}>{graph && <LazyCanvas graph={graph} label={t("health.flow_drawing")} overlay={overlay} height={360} />}</div>
            <Loaded query={figures} lines={3} inset>
              {({ nodes }) => (
                <Table className={rows.table} aria-label={t("health.flow_table")} verticalSpacing="xs" horizontalSpacing="md">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t("health.flow_step")}</Table.Th>
                      <Table.Th>{t("health.flow_waiting")}</Table.Th>
                      <Table.Th>{t("health.flow_steps")}</Table.Th>
                      <Table.Th>{t("health.flow_failed")}</Table.Th>
                      <Table.Th>p50</Table.Th>
                      <Table.Th>p95</Table.Th>
                      <Table.Th>{t("health.flow_longest")}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {nodes
                      .flatMap((node) => {
                        const drawn = graph?.nodes.find(({ id }) => id === node.node_id);
                        return drawn?.lock ? [] : [{ ...node, name: drawn?.name ?? node.node_id }];
                      })
                      .map((node) => (
                        <Table.Tr key={node.node_id}>
                          <Table.Td className={rows.main}>{node.name}</Table.Td>
                          <Table.Td data-label={t("health.flow_waiting")} className={rows.narrow}>
                            {node.waiting.toLocaleString(formats())}
                          </Table.Td>
                          <Table.Td data-label={t("health.flow_steps")} className={rows.narrow}>
                            {node.steps.toLocaleString(formats())}
                          </Table.Td>
                          <Table.Td data-label={t("health.flow_failed")} className={rows.narrow}>
                            {node.failed.toLocaleString(formats())}
                          </Table.Td>
                          <Table.Td data-label="p50" className={rows.narrow}>
                            {inSeconds(node.p50_ms)}
                          </Table.Td>
                          <Table.Td data-label="p95" className={rows.narrow}>
                            {inSeconds(node.p95_ms)}
                          </Table.Td>
                          <Table.Td data-label={t("health.flow_longest")} className={rows.narrow}>
                            {inSeconds(node.longest_ms)}
                          </Table.Td>
                        </Table.Tr>
                      ))}
                  </Table.Tbody>
                </Table>
              )}
            </Loaded>
          </Stack>
        )
      }
    </Loaded>
  );
}
