/** The graph of a session as the canvas draws workflows: its nodes in the order of their ways, ways back told from ways on. */
import type { Graph, GraphEdge, GraphNode } from "../../canvas/graph";
import { sizeOf } from "../../canvas/graph";
import type { Overlay } from "../../canvas/overlay";

export interface Drawing {
  nodes: readonly string[];
  edges: readonly { source: string; target: string; conditional: boolean }[];
}

export const START = "__start__";
export const END = "__end__";

export function graphOf({ nodes, edges }: Drawing, words: { start: string; end: string }): Graph {
  const onward = new Map<string, string[]>();
  for (const { source, target } of edges) onward.set(source, [...(onward.get(source) ?? []), target]);
  const order: string[] = [];
  const back = new Set<string>();
  const state = new Map<string, "open" | "done">();
  const visit = (node: string) => {
    state.set(node, "open");
    for (const next of onward.get(node) ?? []) {
      if (state.get(next) === "open") back.add(`${node} ${next}`);
      else if (!state.has(next)) visit(next);
    }
    state.set(node, "done");
    order.unshift(node);
  };
  if (nodes.includes(START)) visit(START);
  for (const node of nodes) if (!state.has(node)) visit(node);
  return {
    start: order[0] ?? START,
    nodes: order.filter((node) => nodes.includes(node)).map((id) => nodeOf(id, words)),
    edges: edges.map(
      ({ source, target, conditional }, at): GraphEdge => ({ id: `${at} ${source} ${target}`, source, target, label: conditional ? "?" : "", kind: back.has(`${source} ${target}`) ? "returns" : "forward", emptySlot: null }),
    ),
    frames: [],
  };
}

function nodeOf(id: string, words: { start: string; end: string }): GraphNode {
  // A node of a graph is of no type that we have a word for.
  const type = id === START ? "start" : id === END ? "end" : "";
  const name = id === START ? words.start : id === END ? words.end : id;
  const [width, height] = sizeOf(type === "" ? type : "state");
  const compiled = { id, type, name, config: {}, provenance: "envelope", parent: null, outcomes: [], waits: false };
  return { id, type, name, frame: null, lock: type === "" ? null : type, width, height, compiled };
}

/** Where it stands, and which nodes have run, by the steps that its messages tell of. */
export function standing(next: readonly string[], ran: readonly string[], ended: "completed" | "failed" | null): Overlay {
  const marks = new Map<string, "here" | "done" | "failed">(ran.map((node) => [node, "done"]));
  for (const node of next) marks.set(node, ended === "failed" ? "failed" : "here");
  if (ended === "completed") marks.set(END, "done");
  return { tokens: new Map(ended ? [] : next.map((node) => [node, 1])), marks, taken: new Set() };
}
