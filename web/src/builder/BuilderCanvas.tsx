/**
 * The canvas one draws on. Where everything lies is decided by `layout.ts`, so nothing is ever dragged into place: one adds on an
 * edge or behind a step, and connects from a step's right side. What may not be connected says why while one drags.
 */
import "@xyflow/react/dist/base.css";
import { Button, Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { type Connection, type IsValidConnection, MiniMap, Panel, ReactFlow, ReactFlowProvider, useConnection, useReactFlow, useStore } from "@xyflow/react";
import { type DragEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ArrowHeads } from "../canvas/ArrowHeads";
import canvas from "../canvas/Canvas.module.css";
import type { Graph } from "../canvas/graph";
import { type Direction, layoutOf } from "../canvas/layout";
import { NOTHING } from "../canvas/overlay";
import { pathsOf } from "../canvas/paths";
import { FrameNode, type FrameNodeType } from "../canvas/StepNode";
import { useNodeNames } from "../canvas/useNodeNames";
import { stepOf, walk } from "../canvas/walk";
import classes from "./Builder.module.css";
import { EditEdge, type EditEdgeType } from "./EditEdge";
import { EditNode, type EditNodeType } from "./EditNode";
import type { Selection } from "./model/edits";
import type { Refusal } from "./model/rules";
import { settled, shapeOf } from "./model/settled";
import { DRAGGED } from "./Palette";

/** What the drawing asks of the page around it. */
export interface CanvasCommands {
  select: (selection: Selection, also: boolean) => void;
  /** Opens the list of steps to add: on an edge, or behind a step. */
  add: (where: { edge: string } | { after: string }) => void;
  /** A step that was dragged from the palette and let go over an edge or a step. */
  drop: (item: string, where: { edge: string } | { after: string }) => void;
  connect: (source: string, target: string) => void;
  enter: (node: string) => void;
}

interface Props {
  graph: Graph;
  label: string;
  selection: Selection;
  /** Further steps that are selected with the first. */
  also: ReadonlySet<string>;
  marked: ReadonlyMap<string, "error" | "warning" | "added" | "changed" | "removed">;
  readOnly: boolean;
  refusal: (source: string, target: string) => Refusal | null;
  commands: CanvasCommands;
  /** Left to right where there is room, unless it is said. */
  direction?: Direction;
  height?: number | string;
}

const NODE_TYPES = { step: EditNode, frame: FrameNode };
const EDGE_TYPES = { line: EditEdge };
const FAR = 0.45;
const STILL = { draggable: false, selectable: false, focusable: false } as const;
/** Below this nothing can be read: what is larger is opened at its beginning. */
const SMALLEST = 0.5;
const MARGIN = 20;
/** Half of what the words on an edge need. */
const ROOM = 34;
const PLAIN = { hideAttribution: true } as const;
const LARGE = 25;
/** Room for the button on each of two edges between the same steps. */
const APART = 34;
/** Side by side, their words need room as well. */
const APART_BESIDE = 64;

export function BuilderCanvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Board {...props} />
    </ReactFlowProvider>
  );
}

function Board({ graph: given, label, selection, also, marked, readOnly, refusal, commands, direction: wanted, height = 560 }: Props) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const graph = useSettled(given);
  const narrow = useMediaQuery("(max-width: 62em)", undefined, { getInitialValueInEffect: false });
  const direction: Direction = wanted ?? (narrow ? "down" : "right");
  const far = useStore((state) => state.transform[2] < FAR);
  const names = useNodeNames(graph, NOTHING);
  const root = useRef<HTMLDivElement>(null);
  const came = useRef<string | undefined>(undefined);
  const shape = useMemo(() => shapeOf(graph), [graph]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a layout follows from the shape alone, and takes long where there is much
  const layout = useMemo(() => layoutOf(graph, direction), [shape, direction]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- as above, and from the words on the edges
  const paths = useMemo(() => pathsOf(graph, layout, direction === "down" ? APART_BESIDE : APART), [graph.edges, layout, direction]);
  const titles = useMemo(() => new Map(graph.nodes.map(({ id, name }) => [id, name])), [graph]);
  const chosen = selection?.kind === "node" ? selection.id : null;

  const nodes = useMemo(
    () => [
      ...graph.frames.flatMap((frame): FrameNodeType[] => {
        const box = layout.frames.get(frame.id);
        return box ? [{ id: frame.id, type: "frame", position: { x: box.x, y: box.y }, width: box.width, height: box.height, data: { frame }, zIndex: 0, connectable: false, ...STILL }] : [];
      }),
      ...graph.nodes.flatMap((node): EditNodeType[] => {
        const box = layout.nodes.get(node.id);
        if (!box) return [];
        // Inside a body one looks; to change it one goes in.
        const inside = node.id.includes("/");
        const data = { node, name: names(node), mark: marked.get(node.id), chosen: node.id === chosen || also.has(node.id), first: node.id === graph.start, editable: !readOnly && !inside, direction, commands };
        return [{ id: node.id, type: "step", position: { x: box.x, y: box.y }, width: box.width, height: box.height, data, zIndex: 3, ...STILL }];
      }),
    ],
    [graph, layout, names, marked, chosen, also, readOnly, direction, commands],
  );
  const edges = useMemo(
    () =>
      graph.edges.flatMap((edge): EditEdgeType[] => {
        const path = paths.get(edge.id);
        if (!path) return [];
        const inside = edge.id.includes("/") || edge.kind === "item";
        const data = { edge, path, chosen: selection?.kind === "edge" && selection.key === edge.id, mark: marked.get(edge.id), editable: !readOnly && !inside, between: [titles.get(edge.source) ?? "", titles.get(edge.target) ?? ""] as const, commands };
        return [{ id: edge.id, source: edge.source, target: edge.target, type: "line", data, zIndex: 2, focusable: false, ariaRole: "group" as const }];
      }),
    [graph, paths, selection, marked, readOnly, titles, commands],
  );

  /** All of it with its words, where that can be read; else from its beginning. */
  const fit = useRef<() => void>(() => undefined);
  useEffect(() => {
    fit.current = () => {
      const frame = root.current?.getBoundingClientRect();
      if (!frame) return;
      const words = [...paths.values()].map(({ label: at }) => at);
      const left = Math.min(0, ...words.map(({ x }) => x - ROOM)) - MARGIN;
      const top = -MARGIN;
      const width = Math.max(layout.width, ...words.map(({ x }) => x + ROOM)) + MARGIN - left;
      const height = layout.height + MARGIN - top;
      const zoom = Math.max(SMALLEST, Math.min(1, frame.width / width, frame.height / height));
      const start = layout.nodes.get(graph.start);
      const across = width * zoom <= frame.width ? (frame.width - width * zoom) / 2 - left * zoom : direction === "down" && start ? frame.width / 2 - (start.x + start.width / 2) * zoom : -left * zoom;
      const down = height * zoom <= frame.height ? (frame.height - height * zoom) / 2 - top * zoom : direction === "right" && start ? frame.height / 2 - (start.y + start.height / 2) * zoom : -top * zoom;
      void flow.setViewport({ x: across, y: down, zoom });
    };
  });
  const steps = graph.nodes.length;
  useEffect(() => {
    // What was added or taken away has moved everything: all of it is shown, as long as it can be read.
    const frame = requestAnimationFrame(() => fit.current());
    return () => cancelAnimationFrame(frame);
  }, [steps, label, direction]);
  useEffect(() => {
    // What was found elsewhere comes into sight; what is in sight stays where it is.
    const frame = requestAnimationFrame(() => {
      const box = chosen === null ? undefined : layout.nodes.get(chosen);
      const view = root.current?.getBoundingClientRect();
      if (!box || !view) return;
      const { x, y, zoom } = flow.getViewport();
      const [left, top] = [box.x * zoom + x, box.y * zoom + y];
      const seen = left >= 0 && top >= 0 && left + box.width * zoom <= view.width && top + box.height * zoom <= view.height;
      if (!seen) void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: Math.max(zoom, SMALLEST), duration: 0 });
    });
    return () => cancelAnimationFrame(frame);
  }, [chosen, label, layout, flow]);
  const isValidConnection: IsValidConnection = useCallback(({ source, target }) => refusal(source, target) === null, [refusal]);
  const onConnect = useCallback(({ source, target }: Connection) => commands.connect(source, target), [commands]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-step]") : null;
    const here = at?.dataset.step;
    if (!at || !here || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      commands.select({ kind: "node", id: here }, event.shiftKey);
      return;
    }
    if ((event.key === "+" || event.key === "a") && !readOnly) {
      event.preventDefault();
      commands.add({ after: here });
      return;
    }
    const step = stepOf(event.key, direction);
    const next = step && walk(graph, layout, here, step, came.current);
    if (!step || next === null) return;
    event.preventDefault();
    came.current = here;
    const target = root.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(next)}"]`);
    at.tabIndex = -1;
    if (target) {
      target.tabIndex = 0;
      target.focus({ preventScroll: true });
      const box = layout.nodes.get(next);
      if (box) void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: Math.max(flow.getZoom(), 0.7), duration: 0 });
    }
  };
  const over = (event: DragEvent): { edge: string } | { after: string } | null => {
    if (!(event.target instanceof Element)) return null;
    const step = event.target.closest<HTMLElement>("[data-step]")?.dataset.step;
    const edge = event.target.closest<SVGElement>("[data-edge]")?.dataset.edge;
    if (step !== undefined) return step === "out" ? null : { after: step };
    if (edge !== undefined) return { edge };
    // Somewhere beside: where there is only one way, that is the one meant.
    const [only, ...others] = graph.edges;
    return only && others.length === 0 ? { edge: only.id } : null;
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the nodes inside take the keys, which bubble here
    <div
      ref={root}
      className={`${canvas.canvas} ${classes.board}`}
      style={{ height }}
      data-far={far || undefined}
      role="group"
      aria-label={label}
      aria-roledescription={t("canvas.role")}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        if (readOnly || !event.dataTransfer.types.includes(DRAGGED) || !over(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        const where = over(event);
        const item = event.dataTransfer.getData(DRAGGED);
        if (!where || !item) return;
        event.preventDefault();
        commands.drop(item, where);
      }}
    >
      <ArrowHeads />
      <ReactFlow<EditNodeType | FrameNodeType, EditEdgeType>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesConnectable={!readOnly}
        isValidConnection={isValidConnection}
        onConnect={onConnect}
        connectionRadius={28}
        disableKeyboardA11y
        onNodeClick={(event, node) => node.type === "step" && commands.select({ kind: "node", id: node.id }, event.shiftKey || event.ctrlKey || event.metaKey)}
        onNodeDoubleClick={(_, node) => commands.enter(node.id)}
        onPaneClick={() => commands.select(null, false)}
        onInit={() => fit.current()}
        minZoom={0.08}
        maxZoom={1.6}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={PLAIN}
      >
        <DragReason refusal={refusal} titles={titles} />
        {graph.nodes.length > LARGE && <MiniMap pannable zoomable ariaLabel={t("builder.minimap")} className={classes.minimap} nodeStrokeWidth={0} />}
        <Panel position="bottom-right">
          <Group gap={4}>
            <Tool label={t("canvas.zoom_out")} onClick={() => void flow.zoomOut()} icon={<IconMinus size={15} aria-hidden="true" />} />
            <Tool label={t("canvas.zoom_in")} onClick={() => void flow.zoomIn()} icon={<IconPlus size={15} aria-hidden="true" />} />
            <Tool label={t("canvas.fit")} onClick={() => fit.current()} icon={<IconFocusCentered size={15} aria-hidden="true" />} />
          </Group>
        </Panel>
      </ReactFlow>
    </div>
  );
}

/** The drawing as it was, in all that is still so. */
function useSettled(given: Graph): Graph {
  const [held, setHeld] = useState(given);
  const now = settled(held, given);
  if (now !== held) setHeld(now);
  return now;
}

/** While one drags a connection: why it cannot end here, or what it would become. */
function DragReason({ refusal, titles }: { refusal: Props["refusal"]; titles: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const { inProgress, fromNode, toNode } = useConnection();
  if (!inProgress) return null;
  const target = toNode?.id;
  const why = target === undefined ? null : refusal(fromNode.id, target);
  return (
    <Panel position="top-center">
      <Text className={classes.reason} data-refused={why !== null || undefined} size="sm" role="status">
        {why !== null ? t(`builder.refused_${why}`) : target === undefined ? t("builder.drag_hint") : t("builder.drag_onto", { name: titles.get(target) ?? target })}
      </Text>
    </Panel>
  );
}

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </Button>
  );
}
