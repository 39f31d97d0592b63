/**
 * What of a drawing is still as it was: while somebody types into a step, nothing of the drawing changes, and a large one is neither laid
 * out nor drawn again for each letter.
 */
import type { Graph, GraphEdge, GraphNode } from "../../canvas/graph";

/** The drawing after, with everything in it that is as before being the very same; all of it, where nothing is another. */
export function settled(before: Graph, after: Graph): Graph {
  const nodes = kept(before.nodes, after.nodes, sameNode);
  const edges = kept(before.edges, after.edges, sameEdge);
  const frames = kept(before.frames, after.frames, (one, other) => one.kind === other.kind && one.title === other.title && one.parent === other.parent && one.editWindow === other.editWindow);
  const same = nodes === before.nodes && edges === before.edges && frames === before.frames && before.start === after.start;
  return same ? before : { start: after.start, nodes, edges, frames };
}

/** What a layout follows from: names and words may change, and everything stays where it is. */
export function shapeOf({ nodes, edges, frames }: Graph): string {
  return JSON.stringify([nodes.map(({ id, frame, width, height }) => [id, frame, width, height]), edges.map(({ id, source, target, kind }) => [id, source, target, kind]), frames.map(({ id, parent }) => [id, parent])]);
}

const sameNode = (one: GraphNode, other: GraphNode): boolean => one.type === other.type && one.name === other.name && one.frame === other.frame && one.lock === other.lock;
const sameEdge = (one: GraphEdge, other: GraphEdge): boolean => one.source === other.source && one.target === other.target && one.label === other.label && one.kind === other.kind && one.emptySlot === other.emptySlot;

function kept<Part extends { readonly id: string }>(before: readonly Part[], after: readonly Part[], same: (one: Part, other: Part) => boolean): readonly Part[] {
  const known = new Map(before.map((part) => [part.id, part]));
  const parts = after.map((part) => {
    const old = known.get(part.id);
    return old && same(old, part) ? old : part;
  });
  return parts.length === before.length && parts.every((part, at) => part === before[at]) ? before : parts;
}
