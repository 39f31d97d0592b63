/** What can be put into a slot, by groups as people look for it. The server has the list; here it is searched and begun with. */
import type { PaletteGroup, PaletteEntry } from "../api/definitions";
import type { JsonObject } from "../json/json";
import type { NewNode } from "./model/edits";

export interface PaletteItem {
  readonly entry: PaletteEntry;
  readonly group: string;
  readonly groupTitle: string;
}

/** A join comes with its split: alone it could not be connected. */
export function paletteOf(groups: readonly PaletteGroup[]): readonly PaletteItem[] {
  return groups.flatMap(({ id, title, entries }) => entries.filter(({ type }) => type !== "parallel_join").map((entry) => ({ entry, group: id, groupTitle: title })));
}

/** The outcomes of each type, as the server knows them. */
export function outcomesByType(groups: readonly PaletteGroup[]): ReadonlyMap<string, readonly string[]> {
  return new Map(groups.flatMap(({ entries }) => entries.flatMap(({ type, outcomes }) => (outcomes ? [[type, outcomes] as const] : []))));
}

/** Finds by every word that was typed, in title, name and description. */
export function found(items: readonly PaletteItem[], typed: string, titleOf: (item: PaletteItem) => string): readonly PaletteItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const all = `${titleOf(item)} ${item.entry.id} ${item.entry.description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** A new step of the kind, with what its configuration begins with. */
export function newNode({ entry }: PaletteItem, title: string): NewNode {
  const config = entry.config as JsonObject;
  switch (entry.type) {
    // So that it is a question from the beginning, and its two answers are ways.
    case "condition":
      return { type: entry.type, name: title, config: { expression: "", ...config } };
    case "for_each":
      return { type: entry.type, name: title, config: { items: "", body: { nodes: [], edges: [] }, ...config } };
    default:
      return { type: entry.type, name: title, config };
  }
}

/** The entry a step was made from, or would be. */
export function entryOf(items: readonly PaletteItem[], type: string, config: JsonObject): PaletteEntry | undefined {
  const own = items.filter(({ entry }) => entry.type === type).map(({ entry }) => entry);
  return own.find(({ action }) => typeof action === "string" && action === config.action) ?? own[0];
}
