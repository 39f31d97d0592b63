/** Where an arrow key leads: along the edges, not across the screen. */
import type { Graph, GraphEdge } from "./graph";
import type { Layout } from "./layout";

export type Step = "next" | "previous" | "before" | "after" | "first" | "last";

/** The key for a step depends on which way the drawing runs. */
export function stepOf(key: string, direction: Layout["direction"]): Step | null {
  const right = direction === "right";
  switch (key) {
    case "ArrowRight":
      return right ? "next" : "after";
    case "ArrowLeft":
      return right ? "previous" : "before";
    case "ArrowDown":
      return right ? "after" : "next";
    case "ArrowUp":
      return right ? "before" : "previous";
    case "Home":
      return "first";
    case "End":
      return "last";
    default:
      return null;
  }
}

/**
 * Onward along the first edge, back along the one it came by; sideways among those that the same node leads to. Null where
 * there is nothing in that direction. `from` is the node visited before, so that going back goes back the way one came.
 */
export function walk(graph: Graph, layout: Layout, here: string, step: Step, from?: string): string | null {
  const across = (id: string) => {
    const box = layout.nodes.get(id);
    return !box ? 0 : layout.direction === "right" ? box.y + box.height / 2 : box.x + box.width / 2;
  };
  const sorted = (ids: readonly string[]) => [...new Set(ids)].sort((one, other) => across(one) - across(other));
  const onward = (id: string) => sorted(graph.edges.filter((edge) => edge.source === id && leadsOn(edge)).map(({ target }) => target));
  const backward = (id: string) => sorted(graph.edges.filter((edge) => edge.target === id && leadsOn(edge)).map(({ source }) => source));
  switch (step) {
    case "first":
      return graph.start;
    case "last":
      return graph.nodes.at(-1)?.id ?? null;
    case "next":
      return nearest(onward(here), here, across) ?? waysBack(graph, here);
    case "previous": {
      const behind = backward(here);
      return from !== undefined && behind.includes(from) ? from : nearest(behind, here, across);
    }
    case "before":
    case "after": {
      const beside = sorted([...backward(here).flatMap(onward), ...onward(here).flatMap(backward), here]);
      const at = beside.indexOf(here);
      return beside[step === "before" ? at - 1 : at + 1] ?? null;
    }
  }
}

const leadsOn = (edge: GraphEdge): boolean => edge.kind !== "returns" && edge.source !== edge.target;

/** From where nothing leads on, a way back is still a way. */
function waysBack(graph: Graph, here: string): string | null {
  return graph.edges.find((edge) => edge.source === here && edge.target !== here)?.target ?? null;
}

function nearest(ids: readonly string[], here: string, across: (id: string) => number): string | null {
  const away = (id: string) => Math.abs(across(id) - across(here));
  return ids.reduce<string | null>((best, id) => (best === null || away(id) < away(best) ? id : best), null);
}
