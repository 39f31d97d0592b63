/** The lines of the drawing as SVG paths, from boxes and bends alone. */
import type { Graph, GraphEdge } from "./graph";
import type { Box, Layout, Point } from "./layout";

export interface EdgePath {
  d: string;
  /** Where its words stand. */
  label: Point;
}

const ROUND = 10;
const LANE = 16;
const LINE_HEIGHT = 13;

/** `apart` is how far the words of two edges between the same nodes stand from each other. */
export function pathsOf(graph: Graph, layout: Layout, apart = LINE_HEIGHT): ReadonlyMap<string, EdgePath> {
  const paths = new Map<string, EdgePath>();
  let lane = 0;
  const beside = new Map<string, number>();
  for (const edge of graph.edges) {
    const [source, target] = [layout.nodes.get(edge.source), layout.nodes.get(edge.target)];
    if (!source || !target) continue;
    const points = edge.kind === "returns" ? wayBack(edge, source, target, layout, lane++) : wayOn(edge, source, target, layout);
    const [from, to] = points;
    const straight = points.length === 2 && from && to;
    const pair = JSON.stringify([edge.source, edge.target]);
    const nth = beside.get(pair) ?? 0;
    if (edge.label || apart > LINE_HEIGHT) beside.set(pair, nth + 1);
    const { x, y } = middle(points);
    // Two edges between the same nodes share a line, and their words stand one below the other; where each can be taken hold of, each has a line of its own.
    const aside = apart > LINE_HEIGHT ? nth * apart : 0;
    const label = layout.direction === "down" && aside > 0 ? { x: x + aside, y } : { x, y: y + nth * apart };
    paths.set(edge.id, { d: straight ? swung(from, to, layout, aside) : rounded(points), label });
  }
  return paths;
}

function wayOn(edge: GraphEdge, source: Box, target: Box, layout: Layout): Point[] {
  const right = layout.direction === "right";
  const from = right ? { x: source.x + source.width, y: source.y + source.height / 2 } : { x: source.x + source.width / 2, y: source.y + source.height };
  const to = right ? { x: target.x, y: target.y + target.height / 2 } : { x: target.x + target.width / 2, y: target.y };
  const bends = layout.bends.get(edge.id) ?? [];
  // One bend only is the way to the next rank, and that of a frame leads to its middle, not to the node inside: swing there.
  const between = (bends.length > 1 ? bends : []).filter((point) => (right ? point.x > from.x && point.x < to.x : point.y > from.y && point.y < to.y));
  return [from, ...between, to];
}

/** Around below (or beside), so that a way back is never taken for one onward. */
function wayBack(edge: GraphEdge, source: Box, target: Box, layout: Layout, lane: number): Point[] {
  const right = layout.direction === "right";
  const off = 26 + (lane % 4) * LANE;
  if (edge.source === edge.target) {
    const { x, y, width, height } = source;
    return right
      ? [{ x: x + width * 0.7, y: y + height }, { x: x + width * 0.7, y: y + height + 20 }, { x: x + width * 0.3, y: y + height + 20 }, { x: x + width * 0.3, y: y + height }]
      : [{ x: x + width, y: y + height * 0.7 }, { x: x + width + 24, y: y + height * 0.7 }, { x: x + width + 24, y: y + height * 0.3 }, { x: x + width, y: y + height * 0.3 }];
  }
  // Around what lies between the two; a frame that holds one of them is not in the way, it is where they are.
  const apart = [...layout.frames.values()].filter((frame) => !holds(frame, source) && !holds(frame, target));
  const between = [...layout.nodes.values(), ...apart].filter((box) =>
    right ? box.x + box.width >= target.x && box.x <= source.x + source.width : box.y + box.height >= target.y && box.y <= source.y + source.height,
  );
  if (right) {
    const low = Math.max(...between.map((box) => box.y + box.height)) + off;
    return [
      { x: source.x + source.width / 2, y: source.y + source.height },
      { x: source.x + source.width / 2, y: low },
      { x: target.x + target.width / 2, y: low },
      { x: target.x + target.width / 2, y: target.y + target.height },
    ];
  }
  const far = Math.max(...between.map((box) => box.x + box.width)) + off;
  return [
    { x: source.x + source.width, y: source.y + source.height / 2 },
    { x: far, y: source.y + source.height / 2 },
    { x: far, y: target.y + target.height / 2 },
    { x: target.x + target.width, y: target.y + target.height / 2 },
  ];
}

const holds = (frame: Box, box: Box): boolean =>
  box.x >= frame.x && box.x <= frame.x + frame.width && box.y >= frame.y && box.y <= frame.y + frame.height;

/** Out of the one and into the other along the drawing's direction. */
function swung(from: Point, to: Point, { direction }: Layout, aside: number): string {
  const half = direction === "right" ? (from.x + to.x) / 2 : (from.y + to.y) / 2;
  // A curve comes three quarters as far as the points that pull it.
  const pull = aside / 0.75;
  const [out, into] = direction === "right" ? [{ x: half, y: from.y + pull }, { x: half, y: to.y + pull }] : [{ x: from.x + pull, y: half }, { x: to.x + pull, y: half }];
  return `M${at(from)}C${at(out)} ${at(into)} ${at(to)}`;
}

/** A line through points, its corners rounded. */
export function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const parts = [`M${at(first)}`];
  rest.forEach((point, index) => {
    const before = points[index] ?? first;
    const after = rest[index + 1];
    if (!after) parts.push(`L${at(point)}`);
    else {
      const into = Math.min(ROUND, distance(point, before) / 2);
      const out = Math.min(ROUND, distance(point, after) / 2);
      parts.push(`L${at(towards(point, before, into))}Q${at(point)} ${at(towards(point, after, out))}`);
    }
  });
  return parts.join("");
}

function middle(points: readonly Point[]): Point {
  const lengths = points.slice(1).map((point, index) => distance(points[index] ?? point, point));
  let left = lengths.reduce((sum, each) => sum + each, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [points[index], points[index + 1]];
    if (left <= length && from && to) return towards(from, to, left);
    left -= length;
  }
  return points[0] ?? { x: 0, y: 0 };
}

/** The point so far along a line, or its end where that is nearer. */
function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to);
  const share = length === 0 ? 0 : Math.min(by / length, 1);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

const distance = (one: Point, other: Point): number => Math.hypot(other.x - one.x, other.y - one.y);
const at = ({ x, y }: Point): string => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
