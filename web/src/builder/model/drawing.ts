/** One region as the canvas draws it: its pins, its steps, and the bodies of its `for_each` steps in frames. */
import { bodyFrame, type EdgeKind, type Frame, type Graph, type GraphEdge, type GraphNode, sizeOf } from "../../canvas/graph";
import { spoken } from "../../forms/schema";
import type { JsonObject } from "../../json/json";
import { edgeKey, IN, OUT, type Patch, type PatchNode } from "./patch";
import { bodyOf } from "./regions";
import { orderOf } from "./paths";

/** Ids inside of a body are written behind its owner's, so that they are their own on the whole drawing. */
export function drawingOf(patch: Patch): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const frames: Frame[] = [];
  draw(patch, "", null, { nodes, edges, frames });
  return { start: IN, nodes, edges, frames };
}

interface Drawn {
  nodes: GraphNode[];
  edges: GraphEdge[];
  frames: Frame[];
}

function draw(patch: Patch, prefix: string, frame: string | null, drawn: Drawn): void {
  const known = new Map(patch.nodes.map((node) => [node.id, node]));
  for (const id of orderOf(patch)) {
    const node = known.get(id);
    drawn.nodes.push(node ? stepOf(node, prefix, frame) : pinOf(id, prefix, frame));
    if (node?.type === "for_each" && prefix === "") {
      const inside = bodyFrame(prefix + id);
      drawn.frames.push({ id: inside, kind: "body", title: node.name ?? spoken(node.id), parent: frame, editWindow: null });
      drawn.edges.push({ id: `item:${prefix}${id}`, source: prefix + id, target: `${prefix}${id}/${IN}`, label: "", kind: "item", emptySlot: null });
      draw(bodyOf(patch, id), `${prefix}${id}/`, inside, drawn);
    }
  }
  const shown = patch.edges.length === 0 ? [{ source: IN, target: OUT }] : patch.edges;
  shown.forEach((edge, at) => {
    if (edge.source !== IN && !known.has(edge.source)) return;
    if (edge.target !== OUT && !known.has(edge.target)) return;
    const kind: EdgeKind = "returns" in edge && edge.returns ? "returns" : "forward";
    drawn.edges.push({ id: prefix + edgeKey(shown, at), source: prefix + edge.source, target: prefix + edge.target, label: wordsOf(edge), kind, emptySlot: null });
  });
}

function wordsOf(edge: { label?: string; outcome?: string; condition?: string }): string {
  return edge.label ?? [edge.outcome === "completed" ? undefined : edge.outcome, edge.condition].filter(Boolean).join(" · ");
}

function stepOf(node: PatchNode, prefix: string, frame: string | null): GraphNode {
  return graphNode(prefix + node.id, node.type, node.name ?? spoken(node.id), node.config, frame, null);
}

function pinOf(id: string, prefix: string, frame: string | null): GraphNode {
  return graphNode(prefix + id, "attachment", id, {}, frame, "attachment");
}

function graphNode(id: string, type: string, name: string, config: JsonObject, frame: string | null, lock: GraphNode["lock"]): GraphNode {
  const [width, height] = sizeOf(type);
  return { id, type, name, frame, lock, width, height, compiled: { id, type, name, config, provenance: "", parent: null, outcomes: [], waits: false } };
}
