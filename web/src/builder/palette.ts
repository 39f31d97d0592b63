/** What can be put into a slot, by groups as people look for it: steps of the product, actions that are registered, own types. */
import type { ActionInfo, NodeTypeInfo } from "../api/definitions";
import { emptyOf } from "../forms/schema";
import { isObject, type JsonObject } from "../json/json";
import type { NewNode } from "./model/edits";

export const GROUPS = ["control", "people", "data", "documents", "integrations", "agents", "own"] as const;
export type Group = (typeof GROUPS)[number];

export interface PaletteItem {
  /** Its own among all items: `approval`, or `action:store.set`. */
  readonly key: string;
  readonly type: string;
  readonly action: string | null;
  /** The server's words; the console has its own for the product's types. */
  readonly title: string;
  readonly description: string;
  readonly group: Group;
}

const OF_TYPE: Readonly<Record<string, Group>> = {
  approval: "people",
  task: "people",
  notification: "people",
  condition: "control",
  rule: "control",
  script: "control",
  parallel_split: "control",
  for_each: "control",
  wait_timer: "control",
  wait_event: "control",
  policy_gate: "control",
  action: "integrations",
  webhook_out: "integrations",
  run: "integrations",
  session: "agents",
};

const OF_ACTION: readonly (readonly [RegExp, Group])[] = [
  [/^(store|links)\./, "data"],
  [/^documents\./, "documents"],
  [/^sessions\./, "agents"],
];

export function paletteOf(types: readonly NodeTypeInfo[], actions: readonly ActionInfo[]): readonly PaletteItem[] {
  return [
    ...types
      // A join comes with its split, and the plain action by the name of one.
      .filter(({ type }) => type !== "parallel_join" && !(type === "action" && actions.length > 0))
      .map(({ type, title, description }): PaletteItem => ({ key: type, type, action: null, title, description, group: OF_TYPE[type] ?? "own" })),
    ...actions.map(
      ({ name, label, description }): PaletteItem => ({
        key: `action:${name}`,
        type: "action",
        action: name,
        title: label || name,
        description,
        group: OF_ACTION.find(([pattern]) => pattern.test(name))?.[1] ?? "integrations",
      }),
    ),
  ];
}

/** Finds by every word that was typed, in title, name and description. */
export function found(items: readonly PaletteItem[], typed: string, titleOf: (item: PaletteItem) => string): readonly PaletteItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const all = `${titleOf(item)} ${item.key} ${item.description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** A new step of the kind, with what its configuration must begin with. */
export function newNode(item: PaletteItem, title: string, types: readonly NodeTypeInfo[]): NewNode {
  return { type: item.type, name: title, config: firstConfig(item, types) };
}

function firstConfig(item: PaletteItem, types: readonly NodeTypeInfo[]): JsonObject {
  if (item.action !== null) return { action: item.action, payload: {} };
  switch (item.type) {
    case "condition":
      return { expression: "" };
    case "for_each":
      return { items: "", body: { nodes: [], edges: [] } };
    case "approval":
      return { approvers: [] };
    case "wait_timer":
      return { duration: "24h" };
    case "parallel_split":
      return {};
    default: {
      const schema = types.find(({ type }) => type === item.type)?.schema;
      const given = schema ? emptyOf(schema, schema) : undefined;
      const required = schema && Array.isArray(schema.required) ? schema.required : [];
      return isObject(given) ? Object.fromEntries(Object.entries(given).filter(([name]) => required.includes(name))) : {};
    }
  }
}
