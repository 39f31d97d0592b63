/** What is known of one node: what it is, why it is locked, where it leads, and its configuration. */
import { Stack, Text, Title } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Facts } from "../ui/Facts";
import { Json } from "../ui/Json";
import type { Graph } from "./graph";
import { slotTitle } from "./slotTitle";
import { useTypeWord } from "./useNodeNames";

export function NodeDetails({ graph, id }: { graph: Graph; id: string }) {
  const { t } = useTranslation();
  const word = useTypeWord();
  const node = graph.nodes.find((each) => each.id === id);
  if (!node) return null;
  const leads = graph.edges.filter(({ source }) => source === id);
  const names = new Map(graph.nodes.map((each) => [each.id, each.name]));
  const slot = node.compiled.provenance;
  return (
    <Stack gap="sm">
      <Title order={3}>{node.name}</Title>
      {node.lock && (
        <Text size="sm" c="dimmed">
          <IconLock size={14} aria-hidden="true" style={{ verticalAlign: "-2px", marginInlineEnd: 6 }} />
          {t(`canvas.lock_${node.lock}`)}
        </Text>
      )}
      <Facts
        facts={[
          [t("canvas.kind"), word(node.type)],
          slot.startsWith("slot:") && [t("canvas.slot"), slotTitle(slot)],
          leads.length > 0 && [t("canvas.onward"), leads.map(({ target, label }) => (label ? `${names.get(target) ?? target} (${label})` : (names.get(target) ?? target))).join(", ")],
        ]}
      />
      {Object.keys(node.compiled.config).length > 0 && <Json value={node.compiled.config} label={t("canvas.config")} />}
    </Stack>
  );
}
