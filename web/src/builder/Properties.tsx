/** What is selected, and everything one can say about it. */
import { ActionIcon, Button, Group, Menu, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconArrowRight, IconCopy, IconDots, IconLogin2, IconPlugConnected, IconReplace, IconTrash } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PaletteEntry, Place } from "../api/definitions";
import { useTypeWord } from "../canvas/useNodeNames";
import type { Schema } from "../forms/schema";
import { spoken } from "../forms/schema";
import { isObject, type Json, type JsonObject } from "../json/json";
import { capital, sentenceCase } from "../ui/sentenceCase";
import { ConfigForm } from "./ConfigForm";
import { ExpressionField } from "./ExpressionField";
import { edgeKey, IN, nodeOf, OUT, type Patch, type PatchEdge, type PatchNode } from "./model/patch";
import { outcomesOf } from "./model/outcomes";
import type { PlacedProblem } from "./model/problems";
import { entryOf, type PaletteItem } from "./palette";
import { Preview, sends } from "./Preview";
import { ProblemList } from "./ProblemList";
import { titledDefinitions } from "./schemaWords";
import { useConfigSuggestions } from "./useConfigSuggestions";

export interface NodeCommands {
  set: (changes: Partial<Pick<PatchNode, "name" | "config" | "run_as" | "edit_window">>, about: string) => void;
  remove: () => void;
  duplicate: () => void;
  copy: () => void;
  replace: () => void;
  connect: () => void;
  enter: () => void;
  follow: (edge: string) => void;
  /** Mends outcomes without a way, where there are any. */
  mend: (() => void) | null;
}

interface NodeProps {
  node: PatchNode;
  patch: Patch;
  place: Place;
  items: readonly PaletteItem[];
  problems: readonly PlacedProblem[];
  readOnly: boolean;
  commands: NodeCommands;
}

const RUN_AS = ["actor", "system", "service_account"] as const;

export function NodeProperties({ node, patch, place, items, problems, readOnly, commands }: NodeProps) {
  const { t } = useTranslation();
  const word = useTypeWord();
  const actions = useMemo(() => items.flatMap(({ entry }) => (typeof entry.action === "string" ? [entry.action] : [])), [items]);
  const suggestionsFor = useConfigSuggestions(actions);
  const type = entryOf(items, node.type, node.config);
  const schema = useMemo(() => (type ? formSchema(type, t) : null), [type, t]);
  const said = useMemo(() => new Map(problems.flatMap(({ field, message }) => (field.startsWith("config.") ? [[field.slice("config.".length), sentenceCase(message)] as const] : []))), [problems]);
  const pair = node.type === "parallel_split" || node.type === "parallel_join";
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h3">
            {node.name ?? spoken(node.id)}
          </Title>
          <Text size="xs" c="dimmed">
            {capital(word(node.type))} · <code>{node.id}</code>
          </Text>
        </div>
        {!readOnly && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" aria-label={t("builder.step_menu")}>
                <IconDots size={16} aria-hidden="true" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {node.type === "for_each" && (
                <Menu.Item leftSection={<IconLogin2 size={15} aria-hidden="true" />} onClick={commands.enter}>
                  {t("builder.enter_body")}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconPlugConnected size={15} aria-hidden="true" />} onClick={commands.connect}>
                {t("builder.connect_to")}
              </Menu.Item>
              {!pair && (
                <>
                  <Menu.Item leftSection={<IconReplace size={15} aria-hidden="true" />} onClick={commands.replace}>
                    {t("builder.replace")}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconCopy size={15} aria-hidden="true" />} onClick={commands.duplicate}>
                    {t("builder.duplicate")}
                  </Menu.Item>
                </>
              )}
              <Menu.Item color="rust" leftSection={<IconTrash size={15} aria-hidden="true" />} onClick={commands.remove}>
                {t(pair ? "builder.remove_block" : "builder.remove")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {type && type.description !== "" && (
        <Text size="sm" c="dimmed" lang="en">
          {type.description}
        </Text>
      )}
      <TextInput label={t("builder.name")} value={node.name ?? ""} placeholder={spoken(node.id)} readOnly={readOnly} maxLength={200} onChange={(event) => commands.set({ name: event.currentTarget.value }, "name")} />
      {schema && (
        <ConfigForm
          key={node.id}
          id={`step-${node.id}`}
          schema={schema}
          value={node.config}
          readOnly={readOnly}
          problems={said}
          suggestionsFor={suggestionsFor}
          render={(at, input) =>
            at.field.schema["x-widget"] === "expression" ? <ExpressionField {...input} place={place} gives={typeof at.field.schema["x-type"] === "string" ? at.field.schema["x-type"] : "any"} /> : null
          }
          onChange={(config, about) => isObject(config) && commands.set({ config }, about)}
        />
      )}
      {sends(node) && <Preview key={`preview-${node.id}`} node={node} place={place} />}
      {node.type === "for_each" && (
        <Button variant="default" size="xs" leftSection={<IconLogin2 size={15} aria-hidden="true" />} onClick={commands.enter}>
          {t("builder.enter_body")}
        </Button>
      )}
      <NativeSelect label={t("builder.run_as")} description={t("builder.run_as_hint")} disabled={readOnly} value={node.run_as ?? "actor"} data={RUN_AS.map((value) => ({ value, label: t(`builder.run_as_${value}`) }))} onChange={(event) => commands.set({ run_as: event.currentTarget.value === "actor" ? "" : event.currentTarget.value }, "run_as")} />
      <Ways node={node} patch={patch} onFollow={commands.follow} />
      <ProblemList problems={problems} />
      {commands.mend && (
        <Button size="xs" variant="default" onClick={commands.mend}>
          {t("builder.mend")}
        </Button>
      )}
    </Stack>
  );
}

/** The ways on from a step, each a button that leads to it. */
function Ways({ node, patch, onFollow }: { node: PatchNode; patch: Patch; onFollow: (edge: string) => void }) {
  const { t } = useTranslation();
  const leaving = patch.edges.map((edge, at) => ({ edge, key: edgeKey(patch.edges, at) })).filter(({ edge }) => edge.source === node.id);
  if (leaving.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t("builder.ways_on")}
      </Text>
      <Stack gap={4}>
        {leaving.map(({ edge, key }) => (
          <Button key={key} size="compact-sm" variant="default" justify="flex-start" leftSection={<IconArrowRight size={14} aria-hidden="true" />} onClick={() => onFollow(key)}>
            {[edge.outcome, edge.condition].filter(Boolean).join(" · ") || t("builder.always")} → {endName(patch, edge.target, t("builder.out"))}
          </Button>
        ))}
      </Stack>
    </div>
  );
}

function endName(patch: Patch, id: string, out: string): string {
  if (id === OUT) return out;
  const node = nodeOf(patch, id);
  return node?.name ?? spoken(id);
}

interface EdgeProps {
  edge: PatchEdge;
  patch: Patch;
  place: Place;
  known: ReadonlyMap<string, readonly string[]>;
  problems: readonly PlacedProblem[];
  readOnly: boolean;
  onSet: (changes: Partial<Record<keyof PatchEdge, string | number | boolean | null>>, about: string) => void;
  onMove: (target: string) => void;
  onRemove: () => void;
  targets: readonly { id: string; refused: string | null }[];
}

export function EdgeProperties({ edge, patch, place, known, problems, readOnly, onSet, onMove, onRemove, targets }: EdgeProps) {
  const { t } = useTranslation();
  const source = nodeOf(patch, edge.source);
  const outcomes = source ? outcomesOf(source, known) : [];
  const from = edge.source === IN ? t("builder.in") : endName(patch, edge.source, t("builder.out"));
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        {t("builder.edge_title", { from, to: endName(patch, edge.target, t("builder.out")) })}
      </Title>
      {outcomes.length > 0 && (
        <NativeSelect
          label={t("builder.outcome")}
          description={t("builder.outcome_hint")}
          disabled={readOnly}
          value={edge.outcome ?? ""}
          data={[{ value: "", label: t("builder.any_outcome") }, ...outcomes.map((value) => ({ value, label: value }))]}
          onChange={(event) => onSet({ outcome: event.currentTarget.value }, "outcome")}
        />
      )}
      <ExpressionField label={t("builder.condition")} description={t("builder.condition_hint")} value={edge.condition ?? ""} readOnly={readOnly} place={place} gives="boolean" error={problems.find(({ field }) => field === "condition")?.message} onChange={(text) => onSet({ condition: text }, "condition")} />
      <TextInput label={t("builder.label")} description={t("builder.label_hint")} readOnly={readOnly} maxLength={200} value={edge.label ?? ""} onChange={(event) => onSet({ label: event.currentTarget.value }, "label")} />
      <TextInput label={t("builder.priority")} description={t("builder.priority_hint")} type="number" readOnly={readOnly} value={edge.priority ?? 0} onChange={(event) => onSet({ priority: Math.trunc(Number(event.currentTarget.value)) || 0 }, "priority")} />
      <NativeSelect
        label={t("builder.leads_to")}
        disabled={readOnly}
        value={edge.target}
        data={targets.map(({ id, refused }) => ({ value: id, label: endName(patch, id, t("builder.out")) + (refused && id !== edge.target ? ` — ${refused}` : ""), disabled: refused !== null && id !== edge.target }))}
        onChange={(event) => onMove(event.currentTarget.value)}
      />
      {!readOnly && (
        <Button variant="default" color="rust" leftSection={<IconTrash size={15} aria-hidden="true" />} onClick={onRemove}>
          {t("builder.remove_edge")}
        </Button>
      )}
      <ProblemList problems={problems} />
    </Stack>
  );
}

/** An action's own input takes the place of the bare JSON; the body of `for_each` is drawn, not written. */
function formSchema(entry: PaletteEntry, t: TFunction): Schema {
  const schema = entry.schema as JsonObject;
  if (!isObject(schema.properties)) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => name !== "body"));
  const input = entry.input_schema ? expressible(entry.input_schema as JsonObject) : null;
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => name !== "body") : [];
  const shown: JsonObject = input ? { ...properties, payload: input } : properties;
  const definitions = { ...(isObject(schema.$defs) ? schema.$defs : {}), ...(input && isObject(input.$defs) ? input.$defs : {}) };
  return { ...schema, properties: shown, required, ...(Object.keys(definitions).length > 0 && { $defs: titledDefinitions(definitions, t) }) };
}

/** What an action takes as an expression is written as one, whatever type its value is of. */
function expressible(schema: JsonObject): JsonObject {
  const within = (value: Json): Json => {
    if (Array.isArray(value) || !isObject(value)) return value;
    if (value["x-widget"] !== "expression") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)]));
    const words = Object.entries(value).filter(([name]) => name === "title" || name === "description" || name.startsWith("x-"));
    return { ...Object.fromEntries(words), type: "string" };
  };
  return within(schema) as JsonObject;
}
