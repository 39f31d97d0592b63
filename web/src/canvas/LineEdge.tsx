/** One line of the drawing, along the path that `paths.ts` found for it. */
import type { Edge, EdgeProps } from "@xyflow/react";
import { memo } from "react";
import classes from "./Canvas.module.css";
import type { GraphEdge } from "./graph";
import type { EdgePath } from "./paths";

export type LineEdgeType = Edge<{ edge: GraphEdge; path: EdgePath; taken: boolean }, "line">;

const LONGEST = 26;

export const LineEdge = memo(
  function LineEdge({ data }: EdgeProps<LineEdgeType>) {
    if (!data) return null;
    const { edge, path, taken } = data;
    const text = edge.label.length > LONGEST ? `${edge.label.slice(0, LONGEST - 1)}…` : edge.label;
    return (
      <g className={classes.line} data-kind={edge.kind} data-taken={taken || undefined} data-edge={edge.id}>
        <path d={path.d} markerEnd={taken ? "url(#hf-arrow-taken)" : "url(#hf-arrow)"} />
        {edge.emptySlot && <circle className={classes.slot} cx={path.label.x} cy={path.label.y} r={7} />}
        {text && (
          <text className={classes.label} x={path.label.x} y={path.label.y + (edge.emptySlot ? -12 : -5)}>
            {edge.label !== text && <title>{edge.label}</title>}
            {text}
          </text>
        )}
      </g>
    );
  },
  (before, after) => before.data?.path === after.data?.path && before.data?.taken === after.data?.taken,
);
