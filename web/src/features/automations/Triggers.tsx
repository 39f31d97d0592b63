/** What starts automations: a changed document, an event, a time. */
import { Badge, Code, Group, Stack, Table, Text, Title, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes } from "../../api/documents";
import { type Trigger, useChangeTrigger, useConsequences, useCreateTrigger, useDeleteTrigger, useEnableTrigger, useTriggers } from "../../api/parts";
import { type Schema, spoken } from "../../forms/schema";
import type { JsonObject } from "../../json/json";
import { ActionButton } from "../../ui/ActionButton";
import { Confirm } from "../../ui/Confirm";
import { Loaded } from "../../ui/Loaded";
import { ProblemAlert } from "../../ui/ProblemAlert";
import rows from "../../ui/RowTable.module.css";
import { contractOf } from "../documents/contract";
import { PartDrawer } from "../parts/PartDrawer";

const PUBLISH = "processes:publish";
const KINDS = ["on_create", "on_lifecycle_transition", "on_mutation", "on_event", "on_timer", "manual"] as const;
type Kind = (typeof KINDS)[number];

export function Triggers({ automations }: { automations: readonly string[] }) {
  const { t } = useTranslation();
  const query = useTriggers();
  const enable = useEnableTrigger();
  const remove = useDeleteTrigger();
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState<Trigger | null>(null);
  const [leaving, setLeaving] = useState<Trigger | null>(null);
  const consequences = useConsequences(leaving?.name ?? null);
  return (
    <Stack gap="md" component="section" aria-label={t("parts.triggers")}>
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2}>{t("parts.triggers")}</Title>
          <Text c="dimmed">{t("parts.triggers_hint")}</Text>
        </div>
        <ActionButton needs={PUBLISH} refusal={automations.length === 0 ? t("parts.no_automation") : undefined} leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
          {t("parts.new_trigger")}
        </ActionButton>
      </Group>
      {enable.isError && <ProblemAlert error={enable.error} />}
      <Loaded query={query} lines={3}>
        {(triggers) =>
          triggers.length === 0 ? (
            <Text c="dimmed">{t("parts.no_triggers")}</Text>
          ) : (
            <Table className={rows.table} aria-label={t("parts.triggers")}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("parts.name")}</Table.Th>
                  <Table.Th>{t("parts.kind")}</Table.Th>
                  <Table.Th>{t("parts.condition")}</Table.Th>
                  <Table.Th>{t("parts.starts")}</Table.Th>
                  <Table.Th>{t("parts.state")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {triggers.map((trigger) => (
                  <Table.Tr key={trigger.name}>
                    <Table.Td data-label={t("parts.name")}>
                      <UnstyledButton fw={500} c="var(--mantine-color-anchor)" onClick={() => setEditing(trigger)}>
                        {trigger.name}
                      </UnstyledButton>
                    </Table.Td>
                    <Table.Td data-label={t("parts.kind")}>
                      {t(`parts.kind_${trigger.trigger_type as Kind}`)} {[trigger.entity_type, trigger.event_key, trigger.cron].filter(Boolean).join(" · ")}
                    </Table.Td>
                    <Table.Td data-label={t("parts.condition")}>{trigger.condition ? <Code className={rows.code}>{trigger.condition}</Code> : "—"}</Table.Td>
                    <Table.Td data-label={t("parts.starts")}>{spoken(trigger.workflow_id)}</Table.Td>
                    <Table.Td data-label={t("parts.state")}>
                      <Group gap="xs">
                        <Badge color={trigger.enabled ? "kelp" : "slate"}>{t(trigger.enabled ? "parts.enabled" : "parts.disabled")}</Badge>
                        <ActionButton needs={PUBLISH} size="compact-xs" variant="default" loading={enable.isPending && enable.variables.name === trigger.name} onClick={() => enable.mutate({ name: trigger.name, enabled: !trigger.enabled })}>
                          {t(trigger.enabled ? "parts.disable" : "parts.enable")}
                        </ActionButton>
                        <ActionButton needs={PUBLISH} size="compact-xs" variant="subtle" color="rust" onClick={() => setLeaving(trigger)}>
                          {t("parts.delete")}
                        </ActionButton>
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
      {adding && <TriggerDrawer automations={automations} onClose={() => setAdding(false)} />}
      {editing && <TriggerDrawer key={editing.name} automations={automations} trigger={editing} onClose={() => setEditing(null)} />}
      {leaving && (
        <Confirm opened title={t("parts.delete_title", { name: leaving.name })} action={t("parts.delete")} danger busy={remove.isPending} error={remove.error} onClose={() => setLeaving(null)} onConfirm={() => remove.mutate(leaving.name, { onSuccess: () => setLeaving(null) })}>
          <p>{t("parts.delete_trigger_text", { workflow: spoken(leaving.workflow_id) })}</p>
          {consequences.data?.published && consequences.data.other_triggers.length === 0 && <p>{t("parts.only_trigger")}</p>}
        </Confirm>
      )}
    </Stack>
  );
}

interface DrawerProps {
  automations: readonly string[];
  /** Nothing for a new one. */
  trigger?: Trigger;
  onClose: () => void;
}

function TriggerDrawer({ automations, trigger, onClose }: DrawerProps) {
  const { t } = useTranslation();
  const contracts = useDocumentTypes();
  const create = useCreateTrigger();
  const change = useChangeTrigger();
  const types = useMemo(() => (contracts.data ?? []).map(contractOf), [contracts.data]);
  const schema = (value: JsonObject): Schema => {
    const kind = KINDS.find((each) => each === value.trigger_type) ?? "manual";
    const watches = kind === "on_create" || kind === "on_mutation" || kind === "on_lifecycle_transition";
    const states = types.find(({ type }) => type === value.entity_type)?.states ?? [];
    const condition = { type: "string", title: t("parts.condition"), "x-widget": "expression", "x-type": "boolean" };
    const begins = {
      workflow_id: { type: "string", title: t("parts.starts"), enum: [...automations] },
      trigger_type: { type: "string", title: t("parts.kind"), oneOf: KINDS.map((each) => ({ const: each, title: t(`parts.kind_${each}`) })) },
    };
    const properties = {
      ...(!trigger && begins),
      ...(watches && { entity_type: { type: "string", title: t("parts.document_type"), oneOf: types.map(({ type, title }) => ({ const: type, title })) } }),
      ...(kind === "on_event" && { event_key: { type: "string", title: t("parts.event_key") } }),
      ...(kind === "on_timer" && { cron: { type: "string", title: t("parts.cron") } }),
      ...(kind === "on_lifecycle_transition" && { config: { type: "object", title: t("parts.config"), properties: { to: { type: "string", title: t("parts.to_state"), oneOf: states.map(({ name, title }) => ({ const: name, title })) } } } }),
      ...(kind !== "manual" && { condition }),
    };
    const required = [...(trigger ? [] : ["workflow_id", "trigger_type"]), ...(watches ? ["entity_type"] : kind === "on_event" ? ["event_key"] : kind === "on_timer" ? ["cron"] : [])];
    return { type: "object", properties, required };
  };
  const initial: JsonObject = trigger ? filled(trigger) : { workflow_id: automations[0] ?? "", trigger_type: "on_mutation" };
  return (
    <PartDrawer
      name={trigger?.name ?? ""}
      title={trigger?.name ?? t("parts.new_trigger")}
      schema={schema}
      initial={initial}
      needs={PUBLISH}
      place={({ entity_type }) => (typeof entity_type === "string" ? { entity_type, version: null } : null)}
      save={trigger ? change : create}
      onClose={onClose}
    />
  );
}

/** What a trigger says, without what it leaves open. */
function filled({ trigger_type, entity_type, event_key, cron, condition, config }: Trigger): JsonObject {
  const all = { trigger_type, entity_type, event_key, cron, condition, config: config as JsonObject };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
