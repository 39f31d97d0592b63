/** The bench one works at: slots and steps to add on the left, the drawing, and what is selected on the right. */
import { Alert, Button, Card, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft, IconCloudCheck, IconCloudUp, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PaletteGroup, useCheck, useDefinition, useDraftCompiled, useEditing, useSlots } from "../api/definitions";
import { keys } from "../api/keys";
import type { Definition } from "../api/types";
import type { CompiledWorkflow } from "../canvas/compiled";
import { graphOf, type Lock, lockOf as lockOfNode } from "../canvas/graph";
import { LazyCanvas } from "../canvas/LazyCanvas";
import { NodeDetails } from "../canvas/NodeDetails";
import { slotTitle } from "../canvas/slotTitle";
import { type BuilderView, MODES, WHOLE } from "../features/workflows/view";
import { spoken } from "../forms/schema";
import { useSignedIn } from "../session/SignedIn";
import { later } from "../ui/later";
import { Notice } from "../ui/Notice";
import classes from "./Builder.module.css";
import { BuilderCanvas, type CanvasCommands } from "./BuilderCanvas";
import { ConnectPicker } from "./ConnectPicker";
import { drawingOf } from "./model/drawing";
import { appendTo, begin, connect, copied, type Clipping, disconnect, duplicate, type Edited, handleAll, insertOn, paste, reconnect, remove, replaceType, type Selection, setEdge, setNode } from "./model/edits";
import { edgeAt, IN, nodeOf, OUT, writePatches } from "./model/patch";
import { isError, type PlacedProblem, placedProblem, sameRegion } from "./model/problems";
import { patchAt, type Region, scopeAt, withPatch } from "./model/regions";
import { connection, type Refusal } from "./model/rules";
import { newNode, outcomesByType, type PaletteItem, paletteOf } from "./palette";
import { Palette } from "./Palette";
import { ProblemList } from "./ProblemList";
import { EdgeProperties, NodeProperties } from "./Properties";
import { PublishButton } from "./PublishButton";
import { SlotList } from "./SlotList";
import { StepPicker } from "./StepPicker";
import { HeldBack } from "./Upgrade";
import { useDraft } from "./useDraft";
import { useItemTitle } from "./useItemTitle";
import { useLater } from "./useLater";

// What one does with a draft besides building it comes when it is asked for.
const Changes = later(() => import("./Changes").then((module) => module.Changes));
const FindStep = later(() => import("./FindStep").then((module) => module.FindStep));
const Simulate = later(() => import("./Simulate").then((module) => module.Simulate));
const WhatIf = later(() => import("./WhatIf").then((module) => module.WhatIf));

interface Props {
  definition: Definition;
  palette: readonly PaletteGroup[];
  /** What new documents follow now: it has the slots, and is what a draft is compared with. */
  inForce: CompiledWorkflow | null;
  inForceId: string | undefined;
  view: BuilderView;
  onView: (view: BuilderView, replace?: boolean) => void;
}

type Picking = { kind: "edge"; edge: string } | { kind: "after"; after: string } | { kind: "first" } | { kind: "replace"; id: string } | { kind: "connect"; id: string } | null;

const CHECK_PAUSE = 150;

export function Builder({ definition, palette, inForce, inForceId, view, onView }: Props) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const titleOf = useItemTitle();
  const cache = useQueryClient();
  const [client] = useState(() => crypto.randomUUID());
  const editable = definition.status === "draft" && may("processes:design");
  const { editor, asked, ask, takeOver } = useEditing(definition.id, client, editable);
  const reading = editor !== null && !editor.yours;
  const inUse = useCallback(() => void ask(), [ask]);
  const draft = useDraft(definition, client, reading, inUse);
  const readOnly = !editable || reading;
  const theirs = useDefinition(definition.id);
  const items = useMemo(() => paletteOf(palette), [palette]);
  const known = useMemo(() => outcomesByType(palette), [palette]);
  const skeleton = useSlots(definition.entity_type, definition.base_version);
  const slots = useMemo(() => skeleton.data ?? Object.values(inForce?.slots ?? {}).map(({ id }) => id), [skeleton.data, inForce]);
  const states = useMemo(() => Object.values(inForce?.nodes_by_id ?? {}).flatMap(({ id, type }) => (type === "state" ? [id.split(":").at(-1) ?? id] : [])), [inForce]);
  const slot = view.slot === WHOLE ? WHOLE : (view.slot ?? Object.keys(draft.patches)[0] ?? slots[0] ?? "slot:main");
  const region = useMemo<Region>(() => ({ slot, bodies: view.inside ?? [] }), [slot, view.inside]);
  const patch = useMemo(() => patchAt(draft.patches, region), [draft.patches, region]);
  const graph = useMemo(() => drawingOf(patch), [patch]);
  const place = useMemo(() => ({ entity_type: definition.entity_type, version: definition.base_version, ...scopeAt(draft.patches, region) }), [definition.entity_type, definition.base_version, draft.patches, region]);
  const selection = useMemo<Selection>(() => (view.step !== undefined ? { kind: "node", id: view.step } : view.edge !== undefined ? { kind: "edge", key: view.edge } : null), [view.step, view.edge]);
  const [also, setAlso] = useState<ReadonlySet<string>>(new Set());
  const [picking, setPicking] = useState<Picking>(null);
  const [clipping, setClipping] = useState<Clipping | null>(null);
  const board = useRef<HTMLDivElement>(null);
  /** Why what is selected cannot be taken away; said until something else is selected. */
  const [locked, setLocked] = useState<Lock | "whole" | null>(null);

  const checked = useLater(draft.patches, CHECK_PAUSE);
  const wanted = useMemo(() => writePatches(checked), [checked]);
  const follow = useRef(draft.follow);
  useEffect(() => {
    follow.current = draft.follow;
  });
  const { refetch } = theirs;
  useEffect(() => {
    // Whoever reads sees what the other saves.
    if (reading) void refetch().then(({ data }) => data && follow.current(data, true));
  }, [reading, asked, refetch]);
  const check = useCheck(definition.entity_type, definition.base_version, wanted);
  const problems = useMemo(() => (check.data?.problems ?? []).map((problem) => placedProblem(problem, checked)), [check.data, checked]);
  const here = useMemo(() => problems.filter((problem) => sameRegion(problem.region, region)), [problems, region]);
  const errors = problems.filter(isError).length;
  const mode = view.mode ?? "build";
  const settled = errors === 0 && draft.saving === "saved";
  const whole = useDraftCompiled(definition.id, draft.revision, settled && slot === WHOLE);
  const marked = useMemo(() => {
    const found = new Map<string, "error" | "warning">();
    for (const problem of here) {
      const place = problem.node ?? problem.edge;
      if (place !== null && found.get(place) !== "error") found.set(place, isError(problem) ? "error" : "warning");
    }
    return found;
  }, [here]);

  const show = useCallback((next: Selection) => { setLocked(null); onView({ slot, ...(view.inside && { inside: view.inside }), ...(next?.kind === "node" && { step: next.id }), ...(next?.kind === "edge" && { edge: next.key }) }); }, [onView, slot, view.inside]);
  const apply = (edited: Edited | null, about: string | null = null) => {
    if (!edited || readOnly) return;
    draft.change(withPatch(draft.patches, region, edited.patch), about);
    if (about === null) {
      setAlso(new Set());
      show(edited.select);
    }
  };
  const refusal = useCallback(
    (source: string, target: string): Refusal | null => {
      const found = connection(patch, source, target);
      return found.kind === "refused" ? found.why : null;
    },
    [patch],
  );
  const put = (item: PaletteItem, where: Picking | { edge: string } | { after: string }) => {
    const added = newNode(item, titleOf(item));
    if (patch.nodes.length === 0) apply(begin(patch, added, known));
    else if (where && "edge" in where) apply(insertOn(patch, where.edge, added, known));
    else if (where && "after" in where) apply(where.after === IN ? insertOn(patch, firstEdge(patch.edges), added, known) : appendTo(patch, where.after, added, known));
    else if (where && "kind" in where && where.kind === "replace") apply(replaceType(patch, where.id, added, known));
    else apply(insertOn(patch, lastEdge(patch.edges), added, known));
  };
  const latest = useRef({ put, apply, patch, also, selection, show });
  useEffect(() => {
    latest.current = { put, apply, patch, also, selection, show };
  });
  const enter = useCallback((id: string) => nodeOf(latest.current.patch, id)?.type === "for_each" && onView({ slot, inside: [...(view.inside ?? []), id] }, false), [onView, slot, view.inside]);
  const commands = useMemo<CanvasCommands>(
    () => ({
      select: (next, more) => {
        const { also: others, selection: before, show: open } = latest.current;
        if (!more || next?.kind !== "node") {
          setAlso(new Set());
          open(next);
          return;
        }
        const all = new Set([...others, ...(before?.kind === "node" ? [before.id] : [])]);
        if (!all.delete(next.id)) all.add(next.id);
        setAlso(all);
      },
      add: (where) => setPicking("edge" in where ? { kind: "edge", ...where } : { kind: "after", ...where }),
      drop: (key, where) => {
        const item = items.find((each) => each.entry.id === key);
        if (item) latest.current.put(item, where);
      },
      connect: (source, target) => {
        const { patch: now, apply: edit } = latest.current;
        const found = connection(now, source, target);
        if (found.kind !== "refused") edit(connect(now, source, target, { returns: found.kind === "returns" }, known));
      },
      enter,
    }),
    [items, known, enter],
  );
  const chosen = [...also, ...(selection?.kind === "node" && !also.has(selection.id) ? [selection.id] : [])].filter((id) => nodeOf(patch, id));
  const takeAway = () => {
    const lock = slot === WHOLE ? (lockOf(whole.data, view.step) ?? "whole") : selection?.kind === "node" && (selection.id === IN || selection.id === OUT) ? "attachment" : null;
    setLocked(lock);
    if (lock !== null) return;
    if (chosen.length > 0) apply(remove(patch, chosen));
    else if (selection?.kind === "edge") apply(disconnect(patch, selection.key));
    board.current?.querySelector<HTMLElement>('[data-step][tabindex="0"]')?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable=true]");
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const acts: (() => void) | null =
      command && key === "z" && !typing ? (event.shiftKey ? draft.redo : draft.undo)
      : command && key === "y" && !typing ? draft.redo
      : command && key === "k" && !readOnly ? () => setPicking(selection?.kind === "edge" ? { kind: "edge", edge: selection.key } : selection?.kind === "node" ? { kind: "after", after: selection.id } : { kind: "first" })
      : typing ? null
      : command && key === "c" && chosen.length > 0 ? () => setClipping(copied(patch, chosen))
      : command && key === "v" && clipping ? () => apply(paste(patch, selection?.kind === "edge" ? selection.key : lastEdge(patch.edges), clipping))
      : command && key === "d" && chosen[0] !== undefined ? () => apply(duplicate(patch, chosen[0] ?? "", known))
      : !command && (event.key === "Delete" || event.key === "Backspace") ? takeAway
      : !command && key === "c" && selection?.kind === "node" && !readOnly ? () => setPicking({ kind: "connect", id: selection.id })
      : null;
    if (!acts) return;
    event.preventDefault();
    acts();
  };
  const openProblem = (problem: PlacedProblem) => {
    if (!problem.region) return;
    onView({ slot: problem.region.slot, ...(problem.region.bodies.length > 0 && { inside: problem.region.bodies }), ...(problem.node !== null && { step: problem.node }), ...(problem.edge !== null && { edge: problem.edge }) }, false);
  };
  const node = selection?.kind === "node" ? nodeOf(patch, selection.id) : undefined;
  const edge = selection?.kind === "edge" ? patch.edges[edgeAt(patch.edges, selection.key)] : undefined;
  const about = node ? here.filter((problem) => problem.node === node.id) : edge && selection?.kind === "edge" ? here.filter((problem) => problem.edge === selection.key) : [];
  const name = (id: string) => (id === OUT ? t("builder.out") : (nodeOf(patch, id)?.name ?? spoken(id)));
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts for what has buttons too
    <div onKeyDown={onKeyDown}>
      <Stack gap="md">
        <Overtaken draft={draft} definition={definition} />
        {reading && (
          <Alert color="ochre" title={t("builder.edited_by", { name: editor.editor.replace(/^user:/, "") })} role="status">
            <Text size="sm">{t(draft.saving === "saved" ? "builder.edited_by_hint" : "builder.edited_by_kept")}</Text>
            <Button size="xs" mt="sm" onClick={() => void takeOver().then(() => theirs.refetch()).then(({ data }) => data && draft.follow(data))}>
              {t("builder.take_over_editing")}
            </Button>
          </Alert>
        )}
        <HeldBack definition={definition} revision={draft.revision} client={client} slots={slots} readOnly={readOnly} onShow={(next) => onView({ slot: next }, false)} onResolved={(made) => { cache.setQueryData(keys.definition(made.id), made); draft.giveWay(made); }} />
        {!editable && (
          <Alert color="slate" title={t("builder.read_only")}>
            {t(definition.status === "draft" ? "builder.no_right" : "builder.read_only_hint")}
          </Alert>
        )}
        <Group justify="space-between" gap="sm">
          <div className={classes.modes}>
            <SegmentedControl
              aria-label={t("builder.mode")}
              value={mode}
              data={MODES.map((value) => ({ value, label: t(`builder.mode_${value}`) }))}
              onChange={(value) => onView({ ...view, mode: value }, false)}
            />
          </div>
          {mode === "build" && (
            <Suspense fallback={null}>
              <FindStep patches={draft.patches} onFound={({ region: { slot: there, bodies }, id }) => onView({ slot: there, ...(bodies.length > 0 && { inside: bodies }), step: id }, false)} />
            </Suspense>
          )}
        </Group>
        <div className={classes.toolbar}>
          <Button variant="default" size="xs" disabled={!draft.canUndo} onClick={draft.undo} leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}>
            {t("builder.undo")}
          </Button>
          <Button variant="default" size="xs" disabled={!draft.canRedo} onClick={draft.redo} leftSection={<IconArrowForwardUp size={15} aria-hidden="true" />}>
            {t("builder.redo")}
          </Button>
          {!readOnly && (
            <Text size="sm" c="dimmed" role="status" data-saving={draft.saving} miw="9rem">
              {draft.saving === "saved" ? <IconCloudCheck size={15} aria-hidden="true" /> : <IconCloudUp size={15} aria-hidden="true" />} {t(`builder.${draft.saving}`)}
            </Text>
          )}
          <Text size="sm" ml="auto" c={errors > 0 ? "var(--bad)" : "dimmed"} role="status" data-problems={errors} aria-busy={check.isFetching}>
            {problems.length === 0 ? t("builder.problems_none") : t("builder.problems_count", { count: problems.length })}
          </Text>
          {definition.status === "draft" && <PublishButton definition={definition} draft={draft} errors={problems.filter(isError)} inForceId={inForceId} />}
        </div>
        <Suspense fallback={<Skeleton height={380} radius="md" />}>
          {mode === "simulate" && <Simulate id={definition.id} revision={draft.revision} entityType={definition.entity_type} ready={settled} />}
          {mode === "what_if" && <WhatIf id={definition.id} revision={draft.revision} ready={settled} states={states} run={view.run} group={view.group} onOpen={(run, group) => onView({ ...view, run, ...(group === undefined ? { group: "" } : { group }) })} />}
          {mode === "changes" && <Changes definition={definition} revision={draft.revision} ready={settled} inForceId={inForceId} against={view.against ?? ""} onAgainst={(against) => onView({ ...view, against })} />}
        </Suspense>
        {locked !== null && (
          <Alert color="ochre" role="alert" withCloseButton closeButtonLabel={t("common.close")} onClose={() => setLocked(null)} title={t("builder.not_removed")}>
            {t(locked === "whole" ? "builder.remove_in_slot" : `canvas.lock_${locked}`)}
          </Alert>
        )}
        <div className={classes.layout} hidden={mode !== "build"}>
          <div className={classes.side}>
            <Card padding="sm">
              <SlotList slots={slots} patches={draft.patches} saved={definition} chosen={slot} problems={problems} onChoose={(next) => { setLocked(null); onView({ slot: next }, false); }} />
            </Card>
            {!readOnly && slot !== WHOLE && (
              <Card padding="sm" className={classes.palette}>
                <Palette items={items} onChoose={(item) => put(item, selection?.kind === "edge" ? { edge: selection.key } : selection?.kind === "node" ? { after: selection.id } : { kind: "first" })} />
              </Card>
            )}
          </div>
          <div ref={board} style={{ minWidth: 0 }}>
            {slot === WHOLE ? (
              <Stack gap="xs">
                <Whole compiled={errors === 0 ? whole.data : null} selected={view.step ?? null} onOpen={(id) => show({ kind: "node", id })} />
                <ProblemList problems={problems} onOpen={openProblem} />
              </Stack>
            ) : (
              <Stack gap="xs">
                {region.bodies.length > 0 && (
                  <div>
                    <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={15} aria-hidden="true" />} onClick={() => onView({ slot, ...(region.bodies.length > 1 && { inside: region.bodies.slice(0, -1) }) })}>
                      {t("builder.leave_body", { name: region.bodies.length > 1 ? (region.bodies.at(-2) ?? "") : slotTitle(slot) })}
                    </Button>
                  </div>
                )}
                <BuilderCanvas graph={graph} label={t("builder.slot_board", { name: slotTitle(slot) })} selection={selection} also={also} marked={marked} readOnly={readOnly} refusal={refusal} commands={commands} direction="down" height={patch.nodes.length === 0 && !readOnly ? 220 : "min(72vh, 760px)"} />
                {patch.nodes.length === 0 && !readOnly && (
                  <Group justify="center" gap="sm">
                    <Text size="sm" c="dimmed">
                      {t("builder.empty_slot")}
                    </Text>
                    <Button size="xs" leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={() => setPicking({ kind: "first" })}>
                      {t("builder.first_step")}
                    </Button>
                  </Group>
                )}
                <ProblemList problems={problems} onOpen={openProblem} />
              </Stack>
            )}
          </div>
          <Card padding="md" component="aside" className={classes.properties} aria-label={t("builder.properties")}>
            {node ? (
              <NodeProperties
                node={node}
                patch={patch}
                place={place}
                items={items}
                problems={about}
                readOnly={readOnly}
                commands={{
                  set: (changes, what) => apply(setNode(patch, node.id, changes), `${slot}/${node.id}/${what}`),
                  remove: takeAway,
                  duplicate: () => apply(duplicate(patch, node.id, known)),
                  copy: () => setClipping(copied(patch, chosen)),
                  replace: () => setPicking({ kind: "replace", id: node.id }),
                  connect: () => setPicking({ kind: "connect", id: node.id }),
                  enter: () => enter(node.id),
                  follow: (key) => show({ kind: "edge", key }),
                  mend: about.some(({ code }) => code === "node.outcome_unhandled") ? () => apply(handleAll(patch, node.id, known)) : null,
                }}
              />
            ) : edge && selection?.kind === "edge" ? (
              <EdgeProperties
                edge={edge}
                patch={patch}
                place={place}
                known={known}
                problems={about}
                readOnly={readOnly}
                targets={[...patch.nodes.map(({ id }) => id), OUT].map((id) => {
                  const found = connection(disconnect(patch, selection.key).patch, edge.source, id, edge);
                  return { id, refused: found.kind === "refused" ? t(`builder.refused_${found.why}`) : null };
                })}
                onSet={(changes, what) => apply(setEdge(patch, selection.key, changes), `${slot}/${selection.key}/${what}`)}
                onMove={(target) => apply(reconnect(patch, selection.key, { target }))}
                onRemove={takeAway}
              />
            ) : (
              <Text size="sm" c="dimmed">
                {t("builder.nothing_selected")}
              </Text>
            )}
          </Card>
        </div>
      </Stack>
      {picking?.kind === "connect" ? (
        <ConnectPicker
          title={t("builder.connect_title", { name: name(picking.id) })}
          targets={[...patch.nodes.map(({ id }) => id), OUT].map((id) => ({ id, name: name(id), refused: refusal(picking.id, id) }))}
          onChoose={(target) => {
            commands.connect(picking.id, target);
            setPicking(null);
          }}
          onClose={() => setPicking(null)}
        />
      ) : (
        picking && (
          <StepPicker
            title={picking.kind === "replace" ? t("builder.replace_title", { name: name(picking.id) }) : t("builder.pick_title")}
            items={items}
            onChoose={(item) => {
              put(item, picking);
              setPicking(null);
            }}
            onClose={() => setPicking(null)}
          />
        )
      )}
    </div>
  );
}

const firstEdge = (edges: readonly { source: string; target: string }[]): string => {
  const edge = edges.find(({ source }) => source === IN);
  return edge ? `${edge.source}>${edge.target}#0` : "";
};

const lastEdge = (edges: readonly { source: string; target: string; outcome?: string }[]): string => {
  const good = edges.find(({ target, outcome }) => target === OUT && (outcome === undefined || ["approved", "true", "completed"].includes(outcome))) ?? edges.find(({ target }) => target === OUT);
  return good ? `${good.source}>${OUT}#0` : "";
};

const lockOf = (compiled: CompiledWorkflow | null | undefined, id: string | undefined): Lock | null => lockOfNode(compiled?.nodes_by_id[id ?? ""]?.type ?? "");

/** The skeleton with everything in it, as it would run. */
function Whole({ compiled, selected, onOpen }: { compiled: CompiledWorkflow | null | undefined; selected: string | null; onOpen: (node: string) => void }) {
  const { t } = useTranslation();
  const graph = useMemo(() => (compiled ? graphOf(compiled) : null), [compiled]);
  if (!graph) return <Notice>{t("builder.whole_unready")}</Notice>;
  return (
    <Stack gap="sm">
      <LazyCanvas graph={graph} label={t("builder.whole")} selected={selected} onOpen={onOpen} height={560} />
      {selected !== null && <NodeDetails graph={graph} id={selected} />}
    </Stack>
  );
}

function Overtaken({ draft, definition }: { draft: ReturnType<typeof useDraft>; definition: Definition }) {
  const { t } = useTranslation();
  const theirs = useDefinition(definition.id);
  const [busy, setBusy] = useState(false);
  if (draft.saving !== "overtaken") return null;
  const choose = async (then: (found: Definition) => void) => {
    setBusy(true);
    const { data } = await theirs.refetch();
    setBusy(false);
    if (data) then(data);
  };
  return (
    <Alert color="ochre" title={t("builder.overtaken")} role="alert">
      <Text size="sm">{t("builder.overtaken_hint")}</Text>
      <Group mt="sm" gap="sm">
        <Button size="xs" loading={busy} onClick={() => void choose(draft.takeOver)}>
          {t("builder.take_over")}
        </Button>
        <Button size="xs" variant="default" loading={busy} onClick={() => void choose(draft.giveWay)}>
          {t("builder.give_way")}
        </Button>
      </Group>
    </Alert>
  );
}
