/** One line of the drawing one works on: it can be chosen, and something put onto it. */
import type { Edge, EdgeProps } from "@xyflow/react";
import { type KeyboardEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import canvas from "../canvas/Canvas.module.css";
import type { GraphEdge } from "../canvas/graph";
import type { EdgePath } from "../canvas/paths";
import type { CanvasCommands } from "./BuilderCanvas";
import classes from "./Builder.module.css";

export type EditEdgeType = Edge<
  {
    edge: GraphEdge;
    path: EdgePath;
    chosen: boolean;
    mark: "error" | "warning" | "added" | "changed" | "removed" | undefined;
    editable: boolean;
    between: readonly [string, string];
    commands: CanvasCommands;
  },
  "line"
>;

const LONGEST = 26;

export const EditEdge = memo(
  function EditEdge({ data }: EdgeProps<EditEdgeType>) {
    const { t } = useTranslation();
    if (!data) return null;
    const { edge, path, chosen, mark, editable, between, commands } = data;
    const [from, to] = between;
    const text = edge.label.length > LONGEST ? `${edge.label.slice(0, LONGEST - 1)}…` : edge.label;
    const pressed = (act: () => void) => (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    const select = () => commands.select({ kind: "edge", key: edge.id }, false);
    const add = () => commands.add({ edge: edge.id });
    return (
      <g className={`${canvas.line} ${classes.edge}`} data-kind={edge.kind} data-chosen={chosen || undefined} data-problem={mark} data-edge={edge.id}>
        <path d={path.d} markerEnd={chosen ? "url(#hf-arrow-taken)" : "url(#hf-arrow)"} />
        {editable && (
          <path
            d={path.d}
            className={classes.grip}
            role="button"
            tabIndex={-1}
            aria-label={t("builder.edge", { from, to, words: edge.label })}
            onClick={select}
            onKeyDown={pressed(select)}
          />
        )}
        {text && (
          <text className={canvas.label} x={path.label.x} y={path.label.y - (editable ? 13 : 5)}>
            {edge.label !== text && <title>{edge.label}</title>}
            {text}
          </text>
        )}
        {editable && (
          <g className={classes.plus} role="button" tabIndex={-1} aria-label={t("builder.add_between", { from, to })} onClick={add} onKeyDown={pressed(add)} transform={`translate(${path.label.x},${path.label.y})`}>
            <circle r={9} />
            <path d="M-4,0H4M0,-4V4" />
          </g>
        )}
      </g>
    );
  },
  ({ data: one }, { data: other }) => one?.path === other?.path && one?.chosen === other?.chosen && one?.mark === other?.mark && one?.editable === other?.editable && one?.commands === other?.commands && one?.edge === other?.edge,
);
