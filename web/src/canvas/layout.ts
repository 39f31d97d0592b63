/**
 * Where everything lies: each frame is laid out by itself, innermost first, and then counts as one large node of the level
 * around it, up to the skeleton. So a change in one slot moves nothing inside another. Pure, synchronous, and the same for the same graph.
 */
import { Graph as DagreGraph, layout as dagre } from "@dagrejs/dagre";
import type { Frame, Graph, GraphEdge } from "./graph";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export type Direction = "right" | "down";

export interface Layout {
  direction: Direction;
  width: number;
  height: number;
  nodes: ReadonlyMap<string, Box>;
  frames: ReadonlyMap<string, Box>;
  /** The bends of each forward edge between its ends. */
  bends: ReadonlyMap<string, readonly Point[]>;
}

const GAP = { ranks: 64, nodes: 30, edges: 14 };
/** Room for a way from a node back to itself, with its words. */
const LOOP = { beside: 48, below: 12 };
/** Room for the frame's name above what is in it. */
const PADDING = { side: 22, top: 40, bottom: 22 };

export function layoutOf(graph: Graph, direction: Direction = "right"): Layout {
  const sizes = new Map<string, { width: number; height: number }>(graph.nodes.map(({ id, width, height }) => [id, { width, height }]));
  const levels = new Map<string | null, Level>();
  for (const frame of [...innermostFirst(graph.frames), null]) {
    const level = arrange(graph, frame?.id ?? null, sizes, direction);
    levels.set(frame?.id ?? null, level);
    if (frame) {
      sizes.set(frame.id, {
        width: level.width + 2 * PADDING.side,
        height: level.height + PADDING.top + PADDING.bottom,
      });
    }
  }
  const nodes = new Map<string, Box>();
  const frames = new Map<string, Box>();
  const bends = new Map<string, readonly Point[]>();
  const isFrame = new Set(graph.frames.map(({ id }) => id));
  const place = (id: string | null, left: number, top: number) => {
    const level = levels.get(id);
    if (!level) return;
    for (const [edge, points] of level.bends) bends.set(edge, points.map(({ x, y }) => ({ x: x + left, y: y + top })));
    for (const [member, box] of level.boxes) {
      const here = { ...box, x: box.x + left, y: box.y + top };
      if (!isFrame.has(member)) nodes.set(member, here);
      else {
        frames.set(member, here);
        place(member, here.x + PADDING.side, here.y + PADDING.top);
      }
    }
  };
  place(null, 0, 0);
  const whole = levels.get(null);
  return { direction, width: whole?.width ?? 0, height: whole?.height ?? 0, nodes, frames, bends };
}

interface Level {
  width: number;
  height: number;
  boxes: Map<string, Box>;
  bends: Map<string, readonly Point[]>;
}

/** One frame's own nodes and the frames directly in it. */
function arrange(graph: Graph, frame: string | null, sizes: ReadonlyMap<string, { width: number; height: number }>, direction: Direction): Level {
  const parents = new Map(graph.frames.map(({ id, parent }) => [id, parent]));
  const frameOf = new Map(graph.nodes.map(({ id, frame: own }) => [id, own]));
  /** What stands for a node on this level: itself, or the frame of this level it lies in. */
  const member = (node: string): string | null => {
    let [inside, around]: [string, string | null] = [node, frameOf.get(node) ?? null];
    while (around !== frame) {
      if (around === null) return null;
      [inside, around] = [around, parents.get(around) ?? null];
    }
    return inside;
  };
  const board = new DagreGraph({ multigraph: true });
  board.setGraph({
    rankdir: direction === "right" ? "LR" : "TB",
    ...{ ranksep: GAP.ranks, nodesep: GAP.nodes, edgesep: GAP.edges, marginx: 0, marginy: 0 },
  });
  const sizeOf = (id: string) => sizes.get(id) ?? { width: 0, height: 0 };
  const looped = new Set(graph.edges.filter(({ source, target }) => source === target).map(({ source }) => source));
  for (const { id } of [...graph.nodes.filter((node) => node.frame === frame), ...graph.frames.filter(({ parent }) => parent === frame)]) {
    const { width, height } = sizeOf(id);
    // Beside it there is room for its way back to itself, on both sides: the node stays in the middle of what it is given.
    const [wide, high] = !looped.has(id) ? [0, 0] : direction === "right" ? [0, LOOP.below] : [LOOP.beside, 0];
    board.setNode(id, { width: width + 2 * wide, height: height + 2 * high });
  }
  for (const edge of graph.edges) {
    const [source, target] = [member(edge.source), member(edge.target)];
    // A way back says nothing about the order of things.
    if (source === null || target === null || source === target || edge.kind === "returns") continue;
    if (!belongs(edge, frame, frameOf, parents)) continue;
    board.setEdge(source, target, { weight: edge.kind === "interrupts" ? 0 : 2, minlen: 1 }, edge.id);
  }
  dagre(board);
  const boxes = new Map<string, Box>();
  for (const id of board.nodes()) {
    const { x, y } = board.node(id) as Box;
    const { width, height } = sizeOf(id);
    boxes.set(id, { x: x - width / 2, y: y - height / 2, width, height });
  }
  const bends = new Map<string, readonly Point[]>();
  for (const each of board.edges()) {
    const { points } = board.edge(each) as { points: Point[] };
    if (each.name) bends.set(each.name, points.slice(1, -1));
  }
  const { width = 0, height = 0 } = board.graph() as { width?: number; height?: number };
  return { width: Math.max(0, width), height: Math.max(0, height), boxes, bends };
}

/** An edge is laid out on the level where its two ends part. */
function belongs(edge: GraphEdge, frame: string | null, frameOf: ReadonlyMap<string, string | null>, parents: ReadonlyMap<string, string | null>): boolean {
  const around = (node: string) => {
    const found: (string | null)[] = [];
    for (let at = frameOf.get(node) ?? null; ; at = parents.get(at) ?? null) {
      found.push(at);
      if (at === null) return found;
    }
  };
  const theirs = new Set(around(edge.target));
  return around(edge.source).find((each) => theirs.has(each)) === frame;
}

function innermostFirst(frames: readonly Frame[]): Frame[] {
  const depth = (frame: Frame): number => {
    const parent = frames.find(({ id }) => id === frame.parent);
    return parent ? 1 + depth(parent) : 0;
  };
  return [...frames].sort((one, other) => depth(other) - depth(one));
}
