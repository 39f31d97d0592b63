/** One step and one frame of the drawing. Both are drawn once and again only when what they show changes. */
import {
  IconArrowsJoin, IconArrowsSplit, IconBell, IconBolt, IconClipboardText, IconClock, IconCode, IconDiamond, IconHourglass, IconLock,
  IconMessages, IconPlayerPlay, IconPuzzle, IconRepeat, IconShield, IconUserCheck, IconWorldUpload, type Icon,
} from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Canvas.module.css";
import type { Frame, GraphNode } from "./graph";
import type { NodeMark } from "./overlay";
import { slotTitle } from "./slotTitle";
import { useTypeWord } from "./useNodeNames";

export type StepNodeType = Node<
  { node: GraphNode; name: string; mark: NodeMark | undefined; tokens: number; heat?: number | undefined; first: boolean; chosen: boolean },
  "step"
>;
export type FrameNodeType = Node<{ frame: Frame }, "frame">;

const ICONS: Readonly<Record<string, Icon>> = {
  approval: IconUserCheck,
  task: IconClipboardText,
  notification: IconBell,
  condition: IconDiamond,
  rule: IconDiamond,
  script: IconCode,
  parallel_split: IconArrowsSplit,
  parallel_join: IconArrowsJoin,
  for_each: IconRepeat,
  wait_timer: IconClock,
  wait_event: IconHourglass,
  policy_gate: IconShield,
  action: IconBolt,
  webhook_out: IconWorldUpload,
  run: IconPlayerPlay,
  session: IconMessages,
};

/** What a type of step looks like; one that an installation brought itself looks like a piece of a puzzle. */
export function TypeIcon({ type, size = 18 }: { type: string; size?: number }) {
  const Shape = ICONS[type] ?? IconPuzzle;
  return <Shape className={classes.icon} size={size} stroke={1.6} aria-hidden="true" />;
}

/** Everything that is not shown by its text: compared by value, so that a new array of nodes draws none of them anew. */
export const StepNode = memo(
  function StepNode({ data }: NodeProps<StepNodeType>) {
    const { node, name, mark, tokens, heat, first, chosen } = data;
    const word = useTypeWord();
    return (
      <>
        <Ends />
        <div
          className={classes.step}
          role="button"
          tabIndex={first ? 0 : -1}
          aria-label={name}
          aria-pressed={chosen}
          title={node.lock ? name : undefined}
          data-step={node.id}
          data-type={node.type}
          data-locked={node.lock ?? undefined}
          data-mark={mark}
          data-heat={heat}
        >
          {node.lock ? node.lock !== "attachment" && <IconLock className={classes.icon} size={14} aria-hidden="true" /> : <TypeIcon type={node.type} />}
          {node.lock !== "attachment" && (
            <span className={classes.words}>
              <span className={classes.name}>{node.name}</span>
              {!node.lock && <span className={classes.type}>{word(node.type)}</span>}
            </span>
          )}
          {tokens > 0 && (
            <span className={classes.token} aria-hidden="true">
              {tokens > 1 ? tokens : ""}
            </span>
          )}
        </div>
      </>
    );
  },
  (before, after) => sameStep(before.data, after.data),
);

function sameStep(one: StepNodeType["data"], other: StepNodeType["data"]): boolean {
  return (
    one.node === other.node && one.name === other.name && one.mark === other.mark && one.tokens === other.tokens && one.heat === other.heat && one.chosen === other.chosen
  );
}

export const FrameNode = memo(
  function FrameNode({ data: { frame } }: NodeProps<FrameNodeType>) {
    const { t, i18n } = useTranslation();
    const key = `canvas.window_${frame.editWindow ?? ""}`;
    const window = frame.editWindow && (i18n.exists(key) ? (t as (key: string) => string)(key) : frame.editWindow);
    return (
      <div className={classes.frame} data-kind={frame.kind}>
        <span className={classes.frameName}>
          {frame.kind === "slot" ? slotTitle(frame.title) : t("canvas.each_item", { name: frame.title })}
          {window && <span className={classes.window}>{window}</span>}
        </span>
      </div>
    );
  },
  (before, after) => before.data.frame === after.data.frame,
);

/** Edges have paths of their own; these only tell the library that the ends are there. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes.end} />
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes.end} />
    </>
  );
}
