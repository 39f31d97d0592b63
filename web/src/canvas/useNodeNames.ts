/** What a node of the drawing is called for those who hear it: name, type, why it is locked, where it stands, where it leads. */
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { spoken } from "../forms/schema";
import type { Graph, GraphNode } from "./graph";
import type { Overlay } from "./overlay";

/** The word for a type of node; a type that an installation brought itself keeps its own name. */
export function useTypeWord(): (type: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (type) => {
      const key = `canvas.type_${type}`;
      return i18n.exists(key) ? (t as (key: string) => string)(key) : spoken(type);
    },
    [t, i18n],
  );
}

export function useNodeNames(graph: Graph, overlay: Overlay): (node: GraphNode) => string {
  const { t } = useTranslation();
  const word = useTypeWord();
  const onward = useMemo(() => {
    const titles = new Map(graph.nodes.map((node) => [node.id, node.lock === "attachment" ? null : node.name]));
    const found = new Map<string, string[]>();
    for (const edge of graph.edges) {
      const target = titles.get(edge.target);
      if (!target) continue;
      found.set(edge.source, [...(found.get(edge.source) ?? []), edge.label ? `${target} (${edge.label})` : target]);
    }
    return found;
  }, [graph]);
  return useCallback(
    (node) => {
      const tokens = overlay.tokens.get(node.id) ?? 0;
      const mark = overlay.marks.get(node.id);
      const leads = onward.get(node.id);
      return [
        node.lock === "attachment" ? "" : `${node.name}, ${word(node.type)}.`,
        node.lock && t(`canvas.lock_${node.lock}`),
        tokens > 0 && t("canvas.tokens", { count: tokens }),
        mark && mark !== "here" && t(`canvas.mark_${mark}`),
        leads && t("canvas.leads_to", { places: leads.join(", ") }),
      ]
        .filter(Boolean)
        .join(" ");
    },
    [t, word, onward, overlay],
  );
}
