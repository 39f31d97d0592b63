/** Rules about changes of documents: what is refused, set or told before or after one. */
import { Badge, Code } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDocumentTypes } from "../../api/documents";
import { type Rule, usePutRule, useRules } from "../../api/parts";
import type { Schema } from "../../forms/schema";
import type { JsonObject } from "../../json/json";
import { Loaded } from "../../ui/Loaded";
import rows from "../../ui/RowTable.module.css";
import { contractOf } from "../documents/contract";
import type { PartsProps } from "./Chains";
import { PartDrawer } from "./PartDrawer";
import { PartList } from "./PartList";

export function Rules({ open, onOpen }: PartsProps) {
  const { t } = useTranslation();
  const query = useRules();
  return (
    <Loaded query={query} lines={4}>
      {(rules) => (
        <>
          <PartList
            label={t("parts.rules")}
            columns={[t("parts.document_type"), t("parts.effect"), t("parts.condition"), t("parts.state")]}
            items={rules.map((rule) => ({
              name: rule.name,
              cells: [rule.entity_type, t(`parts.effect_${rule.effect as Effect}`), rule.condition ? <Code key="if" className={rows.code}>{rule.condition}</Code> : "—", <Badge key="on" color={rule.enabled ? "kelp" : "slate"}>{t(rule.enabled ? "parts.enabled" : "parts.disabled")}</Badge>],
            }))}
            needs="processes:publish"
            add={t("parts.new_rule")}
            empty={t("parts.no_rules")}
            onOpen={onOpen}
          />
          {open !== undefined && (open === "" || rules.some(({ name }) => name === open)) && <RuleDrawer key={open} rule={rules.find(({ name }) => name === open)} onClose={() => onOpen(undefined)} />}
        </>
      )}
    </Loaded>
  );
}

const EFFECTS = ["reject", "set", "note", "emit"] as const;
type Effect = (typeof EFFECTS)[number];
const TIMINGS = ["before", "after"] as const;
const OPERATIONS = ["create", "update", "transition", "amend", "delete"] as const;

function RuleDrawer({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const contracts = useDocumentTypes();
  const save = usePutRule();
  const types = useMemo(() => (contracts.data ?? []).map(contractOf), [contracts.data]);
  const schema = useMemo<Schema>(
    () => ({
      type: "object",
      properties: {
        entity_type: { type: "string", title: t("parts.document_type"), oneOf: types.map(({ type, title }) => ({ const: type, title })) },
        timing: { type: "string", title: t("parts.timing"), oneOf: TIMINGS.map((timing) => ({ const: timing, title: t(`parts.timing_${timing}`) })) },
        operations: { type: "array", title: t("parts.operations"), items: { type: "string", oneOf: OPERATIONS.map((operation) => ({ const: operation, title: t(`parts.operation_${operation}`) })) }, uniqueItems: true },
        condition: { type: "string", title: t("parts.condition"), "x-widget": "expression", "x-type": "boolean" },
        effect: { type: "string", title: t("parts.effect"), description: t("parts.effect_hint"), oneOf: EFFECTS.map((effect) => ({ const: effect, title: t(`parts.effect_${effect}`) })) },
        config: { type: "object", title: t("parts.config"), additionalProperties: true },
        priority: { type: "integer", title: t("parts.priority") },
        enabled: { type: "boolean", title: t("parts.enabled") },
      },
      required: ["entity_type", "timing", "effect"],
    }),
    [t, types],
  );
  const initial: JsonObject = rule
    ? { entity_type: rule.entity_type, timing: rule.timing, operations: [...rule.operations], ...(rule.condition !== null && { condition: rule.condition }), effect: rule.effect, config: rule.config as JsonObject, priority: rule.priority, enabled: rule.enabled }
    : { timing: "before", operations: ["create", "update"], effect: "reject", config: {}, priority: 0, enabled: true };
  if (types.length === 0) return null;
  return <PartDrawer kind="rule" name={rule?.name ?? ""} title={rule?.name ?? t("parts.new_rule")} schema={schema} initial={initial} needs="processes:publish" place={({ entity_type }) => (typeof entity_type === "string" ? { entity_type, version: null } : null)} save={save} onClose={onClose} />;
}
