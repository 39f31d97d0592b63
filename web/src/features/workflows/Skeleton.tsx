/** The contract of a document type, as its vendor wrote it: its states, the ways between them, and the skeleton that comes of them. */
import { List, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDefinitions } from "../../api/definitions";
import { useContract } from "../../api/documents";
import { useCompiled } from "../../api/processes";
import { graphOf } from "../../canvas/graph";
import { LazyCanvas } from "../../canvas/LazyCanvas";
import { spoken } from "../../forms/schema";
import { contractOf, stateTitle } from "../documents/contract";

export function Skeleton({ entityType, title }: { entityType: string; title: string }) {
  const { t, i18n } = useTranslation();
  const info = useContract(entityType);
  const contract = useMemo(() => info && contractOf(info), [info]);
  const definitions = useDefinitions({ entity_type: entityType, kind: "effective" });
  const bare = (definitions.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ source_definition_id }) => source_definition_id === null)
    .sort((one, other) => (other.base_version ?? 0) - (one.base_version ?? 0))[0];
  const compiled = useCompiled(bare?.id);
  const graph = useMemo(() => (compiled.data ? graphOf(compiled.data) : null), [compiled.data]);
  if (!contract || !info) return null;
  const list = new Intl.ListFormat(i18n.language, { type: "disjunction" });
  return (
    <Stack gap="sm" mt="xs">
      <Text size="sm" c="dimmed">
        {t("workflows.contract_version", { version: info.version })}
      </Text>
      <List size="sm">
        {contract.transitions.map(({ name, from, to }) => (
          <List.Item key={name}>
            <b>{spoken(name)}</b>: {list.format(from.map((state) => stateTitle(contract, state)))} → {stateTitle(contract, to)}
          </List.Item>
        ))}
      </List>
      {graph && <LazyCanvas graph={graph} label={t("workflows.skeleton_drawn", { title })} height={240} />}
    </Stack>
  );
}
