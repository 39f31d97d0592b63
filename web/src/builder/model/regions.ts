/** Where one works: in a slot, or inside the body of a `for_each` step of it, however deep. */
import { spoken } from "../../forms/schema";
import { isObject, type JsonObject } from "../../json/json";
import { EMPTY, nodeOf, type Patch, type Patches, readPatch, writePatch } from "./patch";

export interface Region {
  readonly slot: string;
  /** The `for_each` steps one went into, outermost first. */
  readonly bodies: readonly string[];
}

export const slotRegion = (slot: string): Region => ({ slot, bodies: [] });

export function patchAt(patches: Patches, { slot, bodies }: Region): Patch {
  let patch = patches[slot] ?? EMPTY;
  let prefix = `usr:${slot}:`;
  for (const owner of bodies) {
    prefix = `${prefix}${owner}/`;
    patch = bodyOf(patch, owner, prefix);
  }
  return patch;
}

export function withPatch(patches: Patches, { slot, bodies }: Region, patch: Patch): Patches {
  return { ...patches, [slot]: withBody(patches[slot] ?? EMPTY, bodies, patch, `usr:${slot}:`) };
}

export function bodyOf(patch: Patch, owner: string, prefix = ""): Patch {
  return readPatch(nodeOf(patch, owner)?.config.body, prefix, { entry: `${prefix}in`, exit: `${prefix}out` });
}

function withBody(around: Patch, [owner, ...deeper]: readonly string[], patch: Patch, prefix: string): Patch {
  if (owner === undefined) return patch;
  const inside = `${prefix}${owner}/`;
  const body = writePatch(withBody(bodyOf(around, owner, inside), deeper, patch, inside));
  const put = (config: JsonObject): JsonObject => ({ ...config, body });
  return { ...around, nodes: around.nodes.map((node) => (node.id === owner ? { ...node, config: put(node.config) } : node)) };
}

export interface PlacedStep {
  readonly region: Region;
  readonly id: string;
  readonly name: string;
}

/** Every step of a draft with where it is, those in bodies too: what one searches. */
export function stepsOf(patches: Patches): readonly PlacedStep[] {
  const within = (region: Region): PlacedStep[] =>
    patchAt(patches, region).nodes.flatMap(({ id, type, name }) => [
      { region, id, name: name ?? spoken(id) },
      ...(type === "for_each" ? within({ slot: region.slot, bodies: [...region.bodies, id] }) : []),
    ]);
  return Object.keys(patches).flatMap((slot) => within(slotRegion(slot)));
}

/** What expressions in a region may read beside the document: what steps save, and each item of the list around. */
export function scopeAt(patches: Patches, { slot, bodies }: Region): { variables: readonly string[]; item_of?: string } {
  const variables = new Set(Object.values(patches).flatMap(savedIn));
  const owner = bodies.at(-1);
  const items = owner === undefined ? undefined : nodeOf(patchAt(patches, { slot, bodies: bodies.slice(0, -1) }), owner)?.config.items;
  return { variables: [...variables].sort(), ...(typeof items === "string" && items !== "" && { item_of: items }) };
}

function savedIn(patch: Patch): readonly string[] {
  return patch.nodes.flatMap(({ id, type, config }) => [
    ...(typeof config.save_as === "string" && config.save_as !== "" ? [config.save_as] : []),
    ...(type === "script" && isObject(config.assign) ? Object.keys(config.assign) : []),
    ...(type === "for_each" ? savedIn(bodyOf(patch, id)) : []),
  ]);
}
