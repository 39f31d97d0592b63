/** How hot each step of a workflow is: by how long it takes compared with the others, on the scale on which people feel time. */
import type { Overlay } from "../../canvas/overlay";
import { approximate, type JsonNumber } from "../../json/exact";

export interface Figures {
  nodes: readonly { node_id: string; steps: number; waiting: number; failed: number; p95_ms: JsonNumber | null }[];
  edges: readonly { edge_id: string; taken: number }[];
}

/** From when on a step is warm, warmer, hot, hottest: a second, ten minutes, eight hours, three days. */
const DEGREES = [1_000, 600_000, 28_800_000, 259_200_000];

export function heatOf({ nodes, edges }: Figures): Overlay {
  const heat = new Map<string, number>();
  for (const { node_id, p95_ms } of nodes) {
    const degree = DEGREES.filter((from) => p95_ms !== null && approximate(p95_ms) >= from).length;
    if (degree > 0) heat.set(node_id, degree);
  }
  return {
    tokens: new Map(nodes.filter(({ waiting }) => waiting > 0).map(({ node_id, waiting }) => [node_id, waiting])),
    marks: new Map(nodes.filter(({ failed }) => failed > 0).map(({ node_id }) => [node_id, "failed"])),
    taken: new Set(edges.filter(({ taken }) => taken > 0).map(({ edge_id }) => edge_id)),
    heat,
  };
}
