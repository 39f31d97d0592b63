/**
 * A workflow to look at: panned and zoomed, walked with the arrow keys along its edges, opened with Enter. What lies where is
 * decided by `layout.ts`; here it is only drawn. Nodes have fixed sizes and are drawn once: panning moves one layer, and what
 * is told apart at a distance (words, icons) is hidden by style, not by drawing anew.
 */
import "@xyflow/react/dist/base.css";
import { Button, Group } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { Panel, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Canvas.module.css";
import { ArrowHeads } from "./ArrowHeads";
import { LineEdge, type LineEdgeType } from "./LineEdge";
import { FrameNode, type FrameNodeType, StepNode, type StepNodeType } from "./StepNode";
import type { Graph } from "./graph";
import { type Direction, layoutOf } from "./layout";
import { NOTHING, type Overlay } from "./overlay";
import { pathsOf } from "./paths";
import { useNodeNames } from "./useNodeNames";
import { stepOf, walk } from "./walk";

interface Props {
  graph: Graph;
  /** What the drawing is called for those who do not see it. */
  label: string;
  overlay?: Overlay;
  /** Left to right where there is room, top down where there is not, unless it is said. */
  direction?: Direction;
  selected?: string | null;
  /** Enter, Space or a click on a node. */
  onOpen?: (node: string) => void;
  height?: number | string;
}

const NODE_TYPES = { step: StepNode, frame: FrameNode };
const EDGE_TYPES = { line: LineEdge };
/** Below this zoom words cannot be read, and only shapes are shown. */
const FAR = 0.45;
/** A drawing that would be smaller than this when all of it is shown is opened at its beginning instead. */
const READABLE = 0.6;
const OPENING = 0.85;

export function Canvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ graph, label, overlay = NOTHING, direction: wanted, selected = null, onOpen, height = 420 }: Props) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const direction = wanted ?? (narrow ? "down" : "right");
  const far = useStore((state) => state.transform[2] < FAR);
  const names = useNodeNames(graph, overlay);
  const root = useRef<HTMLDivElement>(null);
  const came = useRef<string | undefined>(undefined);

  const layout = useMemo(() => layoutOf(graph, direction), [graph, direction]);
  const paths = useMemo(() => pathsOf(graph, layout), [graph, layout]);
  const nodes = useMemo(
    () => [
      ...graph.frames.flatMap((frame): FrameNodeType[] => {
        const box = layout.frames.get(frame.id);
        return box ? [{ id: frame.id, type: "frame", position: { x: box.x, y: box.y }, width: box.width, height: box.height, data: { frame }, zIndex: frame.kind === "slot" ? 0 : 1, ...STILL }] : [];
      }),
      ...graph.nodes.flatMap((node): StepNodeType[] => {
        const box = layout.nodes.get(node.id);
        if (!box) return [];
        const mark = overlay.marks.get(node.id);
        const data = { node, name: names(node), mark, tokens: overlay.tokens.get(node.id) ?? 0, heat: overlay.heat?.get(node.id), first: node.id === graph.start, chosen: node.id === selected };
        return [{ id: node.id, type: "step", position: { x: box.x, y: box.y }, width: box.width, height: box.height, data, zIndex: 3, ...STILL }];
      }),
    ],
    [graph, layout, names, overlay, selected],
  );
  const edges = useMemo(
    () =>
      graph.edges.flatMap((edge): LineEdgeType[] => {
        const path = paths.get(edge.id);
        if (!path) return [];
        return [{ id: edge.id, source: edge.source, target: edge.target, type: "line", data: { edge, path, taken: overlay.taken.has(edge.id) }, zIndex: 2, focusable: false }];
      }),
    [graph, paths, overlay],
  );

  const show = useCallback(
    (id: string) => {
      const box = layout.nodes.get(id);
      const frame = root.current?.getBoundingClientRect();
      if (!box || !frame) return;
      const { x, y, zoom } = flow.getViewport();
      const [left, top] = [box.x * zoom + x, box.y * zoom + y];
      const seen = left >= 8 && top >= 8 && left + box.width * zoom <= frame.width - 8 && top + box.height * zoom <= frame.height - 8;
      if (!seen) void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: Math.max(zoom, 0.8) });
    },
    [flow, layout],
  );
  // Whatever is chosen elsewhere, in a list or by a token that moved on, comes into sight here.
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current && selected) show(selected);
  }, [selected, show]);
  /** All of it where that can be read; else what matters now: the token, what is chosen, or the beginning. */
  const begin = () => {
    opened.current = true;
    const frame = root.current?.getBoundingClientRect();
    const here = selected ?? overlay.tokens.keys().next().value ?? graph.start;
    const box = layout.nodes.get(here);
    if (!frame || !box || Math.min(frame.width / layout.width, frame.height / layout.height) >= READABLE) return;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    // The beginning stands at the edge, so that what follows is seen.
    const ahead = here === graph.start ? Math.max(0, (direction === "right" ? frame.width : frame.height) / 2 - 90) / OPENING : 0;
    const x = within(middle.x + (direction === "right" ? ahead : 0), layout.width, frame.width / OPENING);
    const y = within(middle.y + (direction === "right" ? 0 : ahead), layout.height, frame.height / OPENING);
    void flow.setCenter(x, y, { zoom: OPENING });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-step]") : null;
    const here = at?.dataset.step;
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onOpen?.(here);
      return;
    }
    const step = stepOf(event.key, direction);
    if (!step) return;
    event.preventDefault();
    const next = walk(graph, layout, here, step, came.current);
    if (next === null || next === here) return;
    came.current = here;
    show(next);
    // One stop for the whole drawing: Tab enters and leaves it, arrows walk inside.
    const target = root.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(next)}"]`);
    at.tabIndex = -1;
    if (target) {
      target.tabIndex = 0;
      target.focus({ preventScroll: true });
    }
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the nodes inside take the keys, which bubble here
    <div ref={root} className={classes.canvas} style={{ height }} data-far={far || undefined} role="group" aria-label={label} aria-roledescription={t("canvas.role")} onKeyDown={onKeyDown}>
      <ArrowHeads />
      <ReactFlow<StepNodeType | FrameNodeType>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        onNodeClick={(_, node) => node.type === "step" && onOpen?.(node.id)}
        onInit={begin}
        fitView
        fitViewOptions={FIT}
        minZoom={0.08}
        maxZoom={1.6}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={PLAIN}
      >
        <Panel position="bottom-right">
          <Group gap={4}>
            <Tool label={t("canvas.zoom_out")} onClick={() => void flow.zoomOut()} icon={<IconMinus size={15} aria-hidden="true" />} />
            <Tool label={t("canvas.zoom_in")} onClick={() => void flow.zoomIn()} icon={<IconPlus size={15} aria-hidden="true" />} />
            <Tool label={t("canvas.fit")} onClick={() => void flow.fitView(FIT)} icon={<IconFocusCentered size={15} aria-hidden="true" />} />
          </Group>
        </Panel>
      </ReactFlow>
    </div>
  );
}

/** The middle of what is seen, so that no more than a margin beyond the drawing is. */
function within(middle: number, whole: number, seen: number): number {
  const margin = 40;
  if (whole + 2 * margin <= seen) return whole / 2;
  return Math.min(Math.max(middle, seen / 2 - margin), whole - seen / 2 + margin);
}

const STILL = { draggable: false, selectable: false, connectable: false, focusable: false } as const;
const FIT = { padding: 0.06, maxZoom: 1 } as const;
const PLAIN = { hideAttribution: true } as const;

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </Button>
  );
}
