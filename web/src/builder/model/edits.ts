/**
 * Everything one can do to a patch, each a pure function: the patch before, the patch after, and what is selected then. An edit
 * leaves a patch connected: what is inserted leads on to where the edge led, what is removed lets its neighbours meet.
 */
import type { JsonObject } from "../../json/json";
import { mustHandle, outcomesOf, unhandled } from "./outcomes";
import { edgeAt, edgeKey, IN, nodeOf, OUT, type Patch, type PatchEdge, type PatchNode } from "./patch";
import { blocksOf } from "./paths";

export interface Edited {
  readonly patch: Patch;
  readonly select: Selection;
}

export type Selection = { kind: "node"; id: string } | { kind: "edge"; key: string } | null;

export interface NewNode {
  readonly type: string;
  readonly name: string;
  readonly config: JsonObject;
}

type Known = ReadonlyMap<string, readonly string[]>;

/** A name that no step of the patch has yet: `approval`, `approval_2` … */
export function freeId(patch: Patch, wanted: string): string {
  const base = wanted.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "") || "step";
  const taken = new Set([IN, OUT, ...patch.nodes.map(({ id }) => id)]);
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? base : `${base}_${nth}`;
    if (!taken.has(id)) return id;
  }
}

/** Puts a step onto an edge. A split comes with its join and two branches, which nothing could do without. */
export function insertOn(patch: Patch, key: string, added: NewNode, known?: Known): Edited {
  const at = edgeAt(patch.edges, key);
  const edge = patch.edges[at];
  if (!edge) return { patch, select: null };
  const { patch: wider, entry, exits, select } = placed(patch, added, known);
  const before = { ...edge, target: entry };
  const after = exits.map((exit): PatchEdge => ({ ...exit, target: edge.target }));
  // A way back stays one, from what was put onto it.
  const back = edge.returns ? { ...without(before, "returns") } : before;
  const led = edge.returns ? after.map((each, nth) => (nth === 0 ? { ...each, returns: true, outcome: each.outcome ?? "completed" } : { ...each, target: OUT })) : after;
  return { patch: { ...wider, edges: [...wider.edges.slice(0, at), back, ...led, ...wider.edges.slice(at + 1)] }, select };
}

/** Puts a step behind another: on its way on where there is one, else as a new way from it. */
export function appendTo(patch: Patch, id: string, added: NewNode, known?: Known): Edited {
  const node = nodeOf(patch, id);
  const main = mainEdge(patch, id);
  if (node?.type === "parallel_split") return addBranch(patch, id, added, known);
  if (main !== null) return insertOn(patch, edgeKey(patch.edges, main), added, known);
  const open = node ? unhandled(patch, node, known)[0] : undefined;
  const bridged: Patch = { ...patch, edges: [...patch.edges, { source: id, target: OUT, ...(open !== undefined && open !== "completed" && { outcome: open }) }] };
  return insertOn(bridged, edgeKey(bridged.edges, bridged.edges.length - 1), added, known);
}

/** The first step of an empty slot. */
export function begin(patch: Patch, added: NewNode, known?: Known): Edited {
  const bridged: Patch = { ...patch, edges: [{ source: IN, target: OUT }] };
  return insertOn(bridged, edgeKey(bridged.edges, 0), added, known);
}

export function addBranch(patch: Patch, split: string, added: NewNode, known?: Known): Edited {
  const block = blocksOf(patch).find((each) => each.split === split);
  const { patch: wider, entry, exits, select } = placed(patch, added, known);
  const target = block?.join ?? OUT;
  return { patch: { ...wider, edges: [...wider.edges, { source: split, target: entry }, ...exits.map((exit): PatchEdge => ({ ...exit, target }))] }, select };
}

/** Takes steps away; what led to one leads on to where its main way led. A split or a join goes with all that is between. */
export function remove(patch: Patch, ids: readonly string[]): Edited {
  let rest = patch;
  for (const id of ids) {
    if (!nodeOf(rest, id)) continue;
    const block = blocksOf(rest).find(({ split, join }) => split === id || join === id);
    rest = block ? lifted(rest, new Set([block.split, block.join, ...block.inside]), block.split, mainTarget(rest, block.join)) : lifted(rest, new Set([id]), id, mainTarget(rest, id));
  }
  return { patch: rest, select: null };
}

function lifted(patch: Patch, gone: ReadonlySet<string>, first: string, next: string | null): Patch {
  const edges = patch.edges.flatMap((edge): PatchEdge[] => {
    if (gone.has(edge.source)) return [];
    if (!gone.has(edge.target)) return [edge];
    // Ways back to it have nowhere to lead; ways on go where it led.
    if (edge.returns || edge.target !== first || next === null || next === edge.source) return [];
    return edge.source === IN && next === OUT ? [] : [{ ...edge, target: next }];
  });
  return { ...patch, nodes: patch.nodes.filter(({ id }) => !gone.has(id)), edges: distinct(edges) };
}

export function connect(patch: Patch, source: string, target: string, options: { outcome?: string; returns?: boolean } = {}, known?: Known): Edited {
  const node = nodeOf(patch, source);
  const open = options.outcome ?? (node ? unhandled(patch, node, known)[0] : undefined);
  const guard = open !== undefined && !(node && mustHandle(node, known).length === 1 && open === "completed" && !options.returns) ? { outcome: open } : {};
  const edge: PatchEdge = { source, target, ...guard, ...(options.returns && { returns: true }) };
  const edges = [...patch.edges, edge];
  return { patch: { ...patch, edges }, select: { kind: "edge", key: edgeKey(edges, edges.length - 1) } };
}

export function reconnect(patch: Patch, key: string, ends: { source?: string; target?: string }): Edited {
  return changedEdge(patch, key, (edge) => ({ ...edge, ...ends }));
}

export function disconnect(patch: Patch, key: string): Edited {
  const at = edgeAt(patch.edges, key);
  return { patch: { ...patch, edges: patch.edges.filter((_, each) => each !== at) }, select: null };
}

/** Other words for an edge; an empty text takes a member away. */
export function setEdge(patch: Patch, key: string, changes: Partial<Record<keyof PatchEdge, string | number | boolean | null>>): Edited {
  return changedEdge(patch, key, (edge) => {
    const kept = Object.entries({ ...edge, ...changes }).filter(([name, value]) => value !== null && value !== "" && value !== false && !(name === "priority" && value === 0));
    return Object.fromEntries(kept) as unknown as PatchEdge;
  });
}

function changedEdge(patch: Patch, key: string, change: (edge: PatchEdge) => PatchEdge): Edited {
  const at = edgeAt(patch.edges, key);
  const edge = patch.edges[at];
  if (!edge) return { patch, select: null };
  const edges = patch.edges.with(at, change(edge));
  return { patch: { ...patch, edges }, select: { kind: "edge", key: edgeKey(edges, at) } };
}

export function setNode(patch: Patch, id: string, changes: Partial<Pick<PatchNode, "name" | "config" | "run_as" | "edit_window">>): Edited {
  const nodes = patch.nodes.map((node) => {
    if (node.id !== id) return node;
    const kept = Object.entries<unknown>({ ...node, ...changes }).filter(([, value]) => value !== undefined && value !== "");
    return Object.fromEntries(kept) as unknown as PatchNode;
  });
  return { patch: { ...patch, nodes }, select: { kind: "node", id } };
}

/** Another type in the same place: its edges stay; outcomes that the new type does not have become plain, those it has get ways. */
export function replaceType(patch: Patch, id: string, added: NewNode, known?: Known): Edited {
  const outcomes = new Set(outcomesOf(added, known));
  const nodes = patch.nodes.map((node) => (node.id === id ? { id, type: added.type, name: added.name, config: added.config } : node));
  const target = mainTarget(patch, id) ?? OUT;
  const edges = patch.edges.flatMap((edge): PatchEdge[] => {
    if (edge.source !== id || edge.outcome === undefined || outcomes.has(edge.outcome)) return [edge];
    return edge.returns ? [] : [{ ...without(edge, "outcome") }];
  });
  const replaced: Patch = { ...patch, nodes, edges: distinct(edges) };
  const node = nodeOf(replaced, id);
  const open = node ? unhandled(replaced, node, known) : [];
  return { patch: { ...replaced, edges: [...replaced.edges, ...open.map((outcome): PatchEdge => ({ source: id, target, ...worded(added, outcome, known) }))] }, select: { kind: "node", id } };
}

/** Gives every outcome that has no way yet one to where the step leads on: the mend for `node.outcome_unhandled`. */
export function handleAll(patch: Patch, id: string, known?: Known): Edited {
  const node = nodeOf(patch, id);
  if (!node) return { patch, select: null };
  const target = mainTarget(patch, id) ?? OUT;
  const added = unhandled(patch, node, known).map((outcome): PatchEdge => ({ source: id, target, ...worded(node, outcome, known) }));
  return { patch: { ...patch, edges: [...patch.edges, ...added] }, select: { kind: "node", id } };
}

/** The same step once more, right behind it. */
export function duplicate(patch: Patch, id: string, known?: Known): Edited {
  const node = nodeOf(patch, id);
  if (!node || node.type === "parallel_split" || node.type === "parallel_join") return { patch, select: null };
  return appendTo(patch, id, { type: node.type, name: node.name ?? node.id, config: node.config }, known);
}

export interface Clipping {
  readonly nodes: readonly PatchNode[];
  readonly edges: readonly PatchEdge[];
}

/** Steps with the edges among them. */
export function copied(patch: Patch, ids: readonly string[]): Clipping {
  const wanted = new Set(ids);
  return { nodes: patch.nodes.filter(({ id }) => wanted.has(id)), edges: patch.edges.filter(({ source, target }) => wanted.has(source) && wanted.has(target)) };
}

/** Puts what was copied onto an edge: what nothing led to follows, what led nowhere leads on. Null for what has not one beginning. */
export function paste(patch: Patch, key: string, clipping: Clipping): Edited | null {
  const at = edgeAt(patch.edges, key);
  const edge = patch.edges[at];
  const forward = clipping.edges.filter(({ returns }) => !returns);
  const firsts = clipping.nodes.filter(({ id }) => !forward.some(({ target }) => target === id));
  const [first] = firsts;
  if (!edge || !first || firsts.length !== 1) return null;
  const names = new Map<string, string>();
  let wider = patch;
  for (const node of clipping.nodes) {
    const id = freeId(wider, node.id);
    names.set(node.id, id);
    wider = { ...wider, nodes: [...wider.nodes, { ...node, id }] };
  }
  const named = (id: string) => names.get(id) ?? id;
  const inside = clipping.edges.map((each) => ({ ...without(each, "id"), source: named(each.source), target: named(each.target) }));
  const lasts = clipping.nodes.filter(({ id }) => !forward.some(({ source }) => source === id));
  const on = lasts.flatMap((node) => exitsOf({ ...node, id: named(node.id) }).map((exit): PatchEdge => ({ ...exit, target: edge.target })));
  const edges = [...wider.edges.slice(0, at), { ...edge, target: named(first.id) }, ...inside, ...on, ...wider.edges.slice(at + 1)];
  return { patch: { ...wider, edges }, select: { kind: "node", id: named(first.id) } };
}

// ------------------------------------------------------------------------------------------------------------ inside

interface Placed {
  readonly patch: Patch;
  readonly entry: string;
  /** Its ways out, still without a target. */
  readonly exits: readonly Omit<PatchEdge, "target">[];
  readonly select: Selection;
}

function placed(patch: Patch, added: NewNode, known?: Known): Placed {
  if (added.type === "parallel_split") return parallel(patch, added);
  const node: PatchNode = { id: freeId(patch, added.name), ...added };
  return { patch: { ...patch, nodes: [...patch.nodes, node] }, entry: node.id, exits: exitsOf(node, known), select: { kind: "node", id: node.id } };
}

function exitsOf(node: PatchNode, known?: Known): Omit<PatchEdge, "target">[] {
  return mustHandle(node, known).map((outcome) => ({ source: node.id, ...worded(node, outcome, known) }));
}

/** A step that can end in one way only needs no word for it. */
function worded(node: Pick<PatchNode, "type" | "config">, outcome: string, known?: Known): { outcome?: string } {
  return mustHandle(node, known).length === 1 && outcome === "completed" ? {} : { outcome };
}

function parallel(patch: Patch, added: NewNode): Placed {
  const split: PatchNode = { id: freeId(patch, "split"), type: "parallel_split", name: added.name, config: {} };
  let wider: Patch = { ...patch, nodes: [...patch.nodes, split] };
  const join: PatchNode = { id: freeId(wider, "join"), type: "parallel_join", config: { mode: "all" } };
  wider = { ...wider, nodes: [...wider.nodes, join] };
  while (wider.nodes.length < patch.nodes.length + 4) {
    const branch: PatchNode = { id: freeId(wider, "approval"), type: "approval", config: {} };
    const ways = exitsOf(branch).map((exit): PatchEdge => ({ ...exit, target: join.id }));
    wider = { ...wider, nodes: [...wider.nodes, branch], edges: [...wider.edges, { source: split.id, target: branch.id }, ...ways] };
  }
  return { patch: wider, entry: split.id, exits: [{ source: join.id }], select: { kind: "node", id: split.id } };
}

const POSITIVE = ["approved", "true", "completed", "matched"];

/** The way on that one means without saying which: the good outcome, or the only one. */
function mainEdge(patch: Patch, id: string): number | null {
  const leaving = patch.edges.flatMap((edge, at) => (edge.source === id && !edge.returns ? [{ edge, at }] : []));
  const positive = leaving.find(({ edge }) => edge.outcome !== undefined && POSITIVE.includes(edge.outcome)) ?? leaving.find(({ edge }) => edge.outcome === undefined);
  return (positive ?? leaving[0])?.at ?? null;
}

function mainTarget(patch: Patch, id: string): string | null {
  const at = mainEdge(patch, id);
  return at === null ? null : (patch.edges[at]?.target ?? null);
}

function distinct(edges: readonly PatchEdge[]): PatchEdge[] {
  const seen = new Set<string>();
  return edges.filter((edge) => {
    const what = JSON.stringify([edge.source, edge.target, edge.outcome, edge.condition]);
    return seen.has(what) ? false : seen.add(what);
  });
}

function without<Value extends object, Name extends keyof Value>(value: Value, name: Name): Omit<Value, Name> {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)) as Omit<Value, Name>;
}
