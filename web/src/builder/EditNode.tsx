/** One step of the drawing one works on: chosen, marked with what is wrong, with a place to connect from and one to add behind. */
import { IconAlertTriangleFilled, IconLock, IconPlus } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import canvas from "../canvas/Canvas.module.css";
import type { GraphNode } from "../canvas/graph";
import type { Direction } from "../canvas/layout";
import { TypeIcon } from "../canvas/StepNode";
import { useTypeWord } from "../canvas/useNodeNames";
import type { CanvasCommands } from "./BuilderCanvas";
import classes from "./Builder.module.css";

export type EditNodeType = Node<
  {
    node: GraphNode;
    name: string;
    mark: "error" | "warning" | "added" | "changed" | "removed" | undefined;
    chosen: boolean;
    first: boolean;
    editable: boolean;
    direction: Direction;
    commands: CanvasCommands;
  },
  "step"
>;

export const EditNode = memo(
  function EditNode({ data }: NodeProps<EditNodeType>) {
    const { node, name, mark, chosen, first, editable, direction, commands } = data;
    const { t } = useTranslation();
    const word = useTypeWord();
    const pin = node.lock === "attachment";
    const into = direction === "right" ? Position.Left : Position.Top;
    const out = direction === "right" ? Position.Right : Position.Bottom;
    const end = node.id === "out";
    return (
      <>
        <Handle type="target" position={into} className={classes.target} isConnectableStart={false} isConnectable={editable && node.id !== "in"} />
        <div
          className={canvas.step}
          role="button"
          tabIndex={first ? 0 : -1}
          aria-label={mark === "error" ? `${name} ${t("builder.has_error")}` : mark === "warning" ? `${name} ${t("builder.has_warning")}` : name}
          aria-pressed={chosen}
          title={pin ? t(end ? "builder.pin_out" : "builder.pin_in") : undefined}
          data-step={node.id}
          data-type={node.type}
          data-locked={node.lock ?? undefined}
          data-problem={mark}
        >
          {node.lock ? !pin && <IconLock className={canvas.icon} size={14} aria-hidden="true" /> : <TypeIcon type={node.type} />}
          {!pin && (
            <span className={canvas.words}>
              <span className={canvas.name}>{node.name}</span>
              {!node.lock && <span className={canvas.type}>{word(node.type)}</span>}
            </span>
          )}
          {pin && <IconLock size={13} aria-hidden="true" style={{ flex: "none", margin: "0 -5px" }} />}
          {(mark === "error" || mark === "warning") && <IconAlertTriangleFilled className={classes.badge} data-mark={mark} size={16} aria-hidden="true" />}
        </div>
        {editable && !end && !pin && (
          <button type="button" className={classes.append} data-direction={direction} tabIndex={chosen ? 0 : -1} aria-label={t("builder.add_after", { name: node.name })} title={t("builder.add_after", { name: node.name })} onClick={(event) => {
            event.stopPropagation();
            commands.add({ after: node.id });
          }}>
            <IconPlus size={13} aria-hidden="true" />
          </button>
        )}
        <Handle type="source" position={out} className={classes.source} isConnectableEnd={false} isConnectable={editable && !end} />
      </>
    );
  },
  ({ data: one }, { data: other }) =>
    one.node === other.node && one.name === other.name && one.mark === other.mark && one.chosen === other.chosen && one.editable === other.editable && one.direction === other.direction && one.commands === other.commands,
);
