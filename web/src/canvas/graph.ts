/** A compiled workflow as a drawing understands it: nodes of fixed size, edges with their words, frames around slots and bodies. */
import type { CompiledEdge, CompiledNode, CompiledWorkflow } from "./compiled";

/** Why a node cannot be changed by anybody. */
export type Lock = "start" | "end" | "state" | "gate" | "attachment";

export interface GraphNode {
  id: string;
  type: string;
  name: string;
  /** The innermost frame it lies in. */
  frame: string | null;
  lock: Lock | null;
  width: number;
  height: number;
  compiled: CompiledNode;
}

export type EdgeKind = "forward" | "returns" | "interrupts" | "item";

export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  label: string;
  kind: EdgeKind;
  /** The slot that could be filled here, where one is empty. */
  emptySlot: string | null;
}

export interface Frame {
  id: string;
  kind: "slot" | "body";
  /** The slot's id, or the name of the node whose body it is. */
  title: string;
  parent: string | null;
  editWindow: string | null;
}

export interface Graph {
  start: string;
  /** In the order a token would pass them. */
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  frames: readonly Frame[];
}

const ENVELOPE = "envelope";
const LOCKS: Readonly<Record<string, Lock>> = { start: "start", end: "end", state: "state", lifecycle_gate: "gate", attachment: "attachment" };

/** Why a node of this type is nobody's to change; null for those that are. */
export const lockOf = (type: string): Lock | null => LOCKS[type] ?? null;

/** Sizes are known before anything is drawn: nothing is measured, nothing jumps. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  start: [104, 44],
  end: [104, 44],
  state: [148, 52],
  lifecycle_gate: [156, 56],
  attachment: [30, 30],
  parallel_split: [136, 52],
  parallel_join: [136, 52],
};
const SIZE = [184, 64] as const;

export const sizeOf = (type: string): readonly [number, number] => SIZES[type] ?? SIZE;

export const bodyFrame = (node: string): string => `body:${node}`;

export function graphOf(workflow: CompiledWorkflow): Graph {
  const nodes = workflow.topological_order.flatMap((id) => {
    const node = workflow.nodes_by_id[id];
    return node ? [graphNode(node)] : [];
  });
  const known = new Set(nodes.map(({ id }) => id));
  const empty = new Map(Object.values(workflow.slots).filter(({ filled }) => !filled).map(({ id, edge }) => [edge, id]));
  const edges = Object.values(workflow.edges_by_id)
    .filter(({ source, target }) => known.has(source) && known.has(target))
    .map((edge) => graphEdge(edge, empty.get(edge.id) ?? null));
  const items = Object.entries(workflow.bodies).map(
    ([node, { entry }]): GraphEdge => ({ id: `item:${node}`, source: node, target: entry, label: "", kind: "item", emptySlot: null }),
  );
  return { start: workflow.start, nodes, edges: [...edges, ...items], frames: framesOf(workflow, nodes) };
}

function graphNode(node: CompiledNode): GraphNode {
  const [width, height] = sizeOf(node.type);
  const frame = node.parent !== null ? bodyFrame(node.parent) : node.provenance === ENVELOPE ? null : node.provenance;
  return { id: node.id, type: node.type, name: node.name, frame, lock: lockOf(node.type), width, height, compiled: node };
}

function graphEdge(edge: CompiledEdge, emptySlot: string | null): GraphEdge {
  const kind = edge.returns ? "returns" : edge.interrupts ? "interrupts" : "forward";
  const label = edge.label ?? [edge.outcome === "completed" ? null : edge.outcome, edge.condition].filter(Boolean).join(" · ");
  return { id: edge.id, source: edge.source, target: edge.target, label, kind, emptySlot };
}

function framesOf(workflow: CompiledWorkflow, nodes: readonly GraphNode[]): Frame[] {
  const inside = new Set(nodes.map(({ frame }) => frame));
  const slots = Object.values(workflow.slots)
    .filter(({ id }) => inside.has(id))
    .map(({ id, edit_window }): Frame => ({ id, kind: "slot", title: id, parent: null, editWindow: edit_window }));
  const bodies = Object.keys(workflow.bodies).map((id): Frame => {
    const owner = nodes.find((node) => node.id === id);
    return { id: bodyFrame(id), kind: "body", title: owner?.name ?? id, parent: owner?.frame ?? null, editWindow: null };
  });
  return [...slots, ...bodies.filter(({ id }) => inside.has(id))];
}
