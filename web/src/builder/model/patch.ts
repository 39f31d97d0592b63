/**
 * What an organisation puts into the slots of a skeleton, as plain values. `readPatch` makes explicit what an author may leave
 * out (which steps follow `in`, which lead to `out`, ids in full); `writePatch` gives what the server stores. Modes of entry and
 * exit follow from the edges, so nobody has to choose them.
 */
import { isObject, type Json, type JsonObject } from "../../json/json";

export interface PatchNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly config: JsonObject;
  readonly run_as?: string;
  readonly edit_window?: string;
}

export interface PatchEdge {
  readonly id?: string;
  readonly source: string;
  readonly target: string;
  readonly outcome?: string;
  readonly condition?: string;
  readonly priority?: number;
  readonly label?: string;
  readonly returns?: boolean;
}

export interface Patch {
  readonly nodes: readonly PatchNode[];
  readonly edges: readonly PatchEdge[];
  /** Of a whole slot; bodies of `for_each` have none. */
  readonly edit_window_override?: string;
}

export type Patches = Readonly<Record<string, Patch>>;

export const IN = "in";
export const OUT = "out";
export const EMPTY: Patch = { nodes: [], edges: [] };

/** Two edges between the same nodes are told apart by their order. It says nothing about outcome and condition, which change under it. */
export function edgeKey(edges: readonly PatchEdge[], at: number): string {
  const edge = edges[at];
  if (!edge) return "";
  const nth = edges.slice(0, at).filter(({ source, target }) => source === edge.source && target === edge.target).length;
  return `${edge.source}>${edge.target}#${nth}`;
}

export function edgeAt(edges: readonly PatchEdge[], key: string): number {
  return edges.findIndex((_, at) => edgeKey(edges, at) === key);
}

export function nodeOf(patch: Patch, id: string): PatchNode | undefined {
  return patch.nodes.find((node) => node.id === id);
}

/** `prefix` is how ids of this region begin when they are written in full, such as `usr:slot:main:`. */
export function readPatch(given: Json | undefined, prefix: string, pins: { entry: string; exit: string }): Patch {
  if (!isObject(given)) return EMPTY;
  const short = (id: Json | undefined): string => {
    const text = typeof id === "string" ? id : "";
    if (text === pins.entry) return IN;
    if (text === pins.exit) return OUT;
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  };
  const nodes = objects(given.nodes).map(
    (node): PatchNode => ({
      id: short(node.id),
      type: text(node.type) ?? "",
      ...optional("name", text(node.name)),
      config: isObject(node.config) ? node.config : {},
      ...optional("run_as", text(node.run_as)),
      ...optional("edit_window", text(node.edit_window)),
    }),
  );
  const edges = objects(given.edges).map(
    (edge): PatchEdge => ({
      ...optional("id", edge.id === undefined || edge.id === null ? undefined : short(edge.id)),
      source: short(edge.source),
      target: short(edge.target),
      ...optional("outcome", typeof edge.outcome === "boolean" ? String(edge.outcome) : text(edge.outcome)),
      ...optional("condition", text(edge.condition)),
      ...optional("priority", typeof edge.priority === "number" && edge.priority !== 0 ? edge.priority : undefined),
      ...optional("label", text(edge.label)),
      ...(edge.returns === true && { returns: true }),
    }),
  );
  return attached({ nodes, edges, ...optional("edit_window_override", text(given.edit_window_override)) });
}

/** The same patch with the edges from `in` and to `out` that the compiler would add by itself. */
export function attached(patch: Patch): Patch {
  const forward = patch.edges.filter(({ returns }) => !returns);
  const added: PatchEdge[] = [];
  if (!forward.some(({ source }) => source === IN)) {
    const entered = new Set(forward.map(({ target }) => target));
    added.push(...patch.nodes.filter(({ id }) => !entered.has(id)).map(({ id }) => ({ source: IN, target: id })));
  }
  if (!forward.some(({ target }) => target === OUT)) {
    const left = new Set(patch.edges.map(({ source }) => source));
    added.push(...patch.nodes.filter(({ id }) => !left.has(id)).map(({ id }) => ({ source: id, target: OUT })));
  }
  return added.length > 0 ? { ...patch, edges: [...patch.edges, ...added] } : patch;
}

/** As the server stores it. An empty slot is no patch at all. */
export function writePatch(patch: Patch): JsonObject {
  const entries = patch.edges.filter(({ source }) => source === IN).length;
  const exits = patch.edges.filter(({ target }) => target === OUT).length;
  return {
    nodes: patch.nodes.map((node): JsonObject => ({ ...node })),
    edges: patch.edges.map((edge): JsonObject => ({ ...edge })),
    ...(entries > 1 && { entry_edge_mode: "branch" }),
    ...(exits > 1 && { exit_edge_mode: "join" }),
    ...optional("edit_window_override", patch.edit_window_override),
  };
}

export function readPatches(given: Json | undefined): Patches {
  if (!isObject(given)) return {};
  return Object.fromEntries(Object.entries(given).map(([slot, patch]) => [slot, readPatch(patch, `usr:${slot}:`, { entry: `sys:${slot}:in`, exit: `sys:${slot}:out` })]));
}

export function writePatches(patches: Patches): JsonObject {
  return Object.fromEntries(
    Object.entries(patches)
      .filter(([, { nodes, edit_window_override }]) => nodes.length > 0 || edit_window_override !== undefined)
      .map(([slot, patch]) => [slot, writePatch(patch)]),
  );
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
