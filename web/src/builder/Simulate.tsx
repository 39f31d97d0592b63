/**
 * Plays a draft with the same rules that production follows, and without any effect: people, events and time, step by step, forward
 * and back. Each choice says why.
 */
import { Alert, Badge, Button, Card, Group, NativeSelect, Slider, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { IconArrowBackUp, IconPlayerPlay } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SimulationFrame, useDraftCompiled, useKeepCase, useSimulation } from "../api/definitions";
import { useContract } from "../api/documents";
import { type Graph, graphOf } from "../canvas/graph";
import { LazyCanvas } from "../canvas/LazyCanvas";
import { overlayOf } from "../canvas/overlay";
import { contractOf, stateTitle } from "../features/documents/contract";
import { emptyOf, spoken } from "../forms/schema";
import { useCodeWords } from "../i18n/useCodeWords";
import { isObject, type Json, type JsonObject, parse, stringify } from "../json/json";
import { ActionButton } from "../ui/ActionButton";
import { Notice } from "../ui/Notice";
import { done } from "../ui/notify";
import { ProblemAlert } from "../ui/ProblemAlert";
import { sentenceCase } from "../ui/sentenceCase";
import { useSamples } from "./useSamples";

interface Props {
  id: string;
  revision: number;
  entityType: string;
  ready: boolean;
}

export function Simulate({ id, revision, entityType, ready }: Props) {
  const { t } = useTranslation();
  const contract = useContract(entityType);
  const { samples, titleOf } = useSamples(entityType);
  const begun = useMemo(() => (contract ? sample(contractOf(contract).schema) : {}), [contract]);
  const [text, setText] = useState<string | null>(null);
  const [script, setScript] = useState<readonly Json[]>([]);
  const [at, setAt] = useState<number | null>(null);
  const document = useMemo(() => read(text ?? stringify(begun, 2)), [text, begun]);
  const compiled = useDraftCompiled(id, revision, ready);
  const graph = useMemo(() => (compiled.data ? graphOf(compiled.data) : null), [compiled.data]);
  const played = useSimulation(id, revision, ready ? document : null, script);
  const frames = useMemo(() => played.data?.frames ?? [], [played.data]);
  const last = frames.length - 1;
  const position = at === null ? last : Math.min(at, last);
  const frame = frames[position];
  const overlay = useMemo(() => overlayAt(frames.slice(0, position + 1)), [frames, position]);
  const play = (line: Json) => {
    // Whoever went back and does something else goes another way from there.
    setScript([...script.slice(0, position), line]);
    setAt(null);
  };
  if (!ready || !graph) return <Notice>{t("builder.whole_unready")}</Notice>;
  return (
    <Stack gap="md">
      <LazyCanvas graph={graph} label={t("builder.simulated")} overlay={overlay} selected={frame?.tokens[0]?.node ?? null} height={380} />
      {frames.length > 1 && (
        <Slider aria-label={t("builder.moment")} min={0} max={last} value={position} onChange={(value) => setAt(value)} label={(value) => frames[value]?.act ?? ""} marks={frames.map((each) => ({ value: each.index }))} mx="sm" />
      )}
      {played.isError && <ProblemAlert error={played.error} />}
      {frame && <Now frame={frame} graph={graph} stateOf={(status) => stateTitle(contract && contractOf(contract), status)} isLast={position === last} onPlay={play} onBack={position > 0 ? () => setAt(position - 1) : null} onRestart={() => { setScript([]); setAt(null); }} />}
      {frame && position === last && document && script.length > 0 && <Keep entityType={entityType} document={document} script={script} frame={frame} />}
      <Card padding="md">
        <Group align="flex-end" mb="xs">
          <NativeSelect
            label={t("builder.sample")}
            data={[{ value: "", label: t("builder.sample_own") }, ...samples.map((each) => ({ value: each.id, label: titleOf(each) }))]}
            onChange={(event) => {
              const found = samples.find((each) => each.id === event.currentTarget.value);
              setText(found ? stringify(found.data, 2) : null);
              setScript([]);
              setAt(null);
            }}
          />
        </Group>
        <Textarea label={t("builder.document")} value={text ?? stringify(begun, 2)} error={document === null ? t("form.problem_not_read") : undefined} autosize minRows={4} maxRows={14} spellCheck={false} onChange={(event) => setText(event.currentTarget.value)} styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }} />
      </Card>
    </Stack>
  );
}

interface NowProps {
  frame: SimulationFrame;
  graph: Graph;
  /** What a state is called. */
  stateOf: (status: string) => string;
  isLast: boolean;
  onPlay: (line: Json) => void;
  onBack: (() => void) | null;
  onRestart: () => void;
}

/** Where it stands in one frame, why, and what may happen next. */
function Now({ frame, graph, stateOf, isLast, onPlay, onBack, onRestart }: NowProps) {
  const { t } = useTranslation();
  const codeWords = useCodeWords();
  const [wait, setWait] = useState("72h");
  const nameOf = (node: string) => nameIn(graph, node);
  return (
    <Card padding="md">
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h4" lang="en">
            {sentenceCase(frame.act)}
          </Title>
          <Badge color="slate">{frame.doc_status === null ? t(`processes.status_${frame.status as "running"}`) : stateOf(frame.doc_status)}</Badge>
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={!onBack} leftSection={<IconArrowBackUp size={14} aria-hidden="true" />} onClick={() => onBack?.()}>
            {t("builder.step_back")}
          </Button>
          <Button size="xs" variant="subtle" onClick={onRestart}>
            {t("builder.restart")}
          </Button>
        </Group>
      </Group>
      {frame.refusal && <Alert color="ochre">{codeWords(`reason.refused_${frame.refusal.code}`) ?? sentenceCase(frame.refusal.message)}</Alert>}
      {frame.reasons.length > 0 && (
        <ul>
          {frame.reasons.filter(({ node }) => nameOf(node) !== "").map((reason) => {
            const words = codeWords(`reason.because_${reason.code}`, reason.params);
            return (
              <li key={`${reason.seq}${reason.edge ?? ""}`}>
                <Text size="sm" lang={words ? undefined : "en"}>
                  {nameOf(reason.node)}: {words ?? reason.because}
                </Text>
              </li>
            );
          })}
        </ul>
      )}
      <Text size="sm" c="dimmed" mb="xs">
        {isLast ? t("builder.what_next") : t("builder.what_else")}
      </Text>
      <Group gap="xs">
        {frame.waiting.flatMap(({ wait: waited, people }) => {
          const where = waited.node.split(":").at(-1) ?? waited.node;
          if (waited.kind === "approval" || waited.code === "approval") {
            return people.flatMap((person) => [
              <Button key={`${waited.node}a${person}`} size="xs" onClick={() => onPlay({ approve: { by: person, at: where } })}>
                {t("builder.play_approve", { person, where: nameOf(waited.node) })}
              </Button>,
              <Button key={`${waited.node}r${person}`} size="xs" variant="default" onClick={() => onPlay({ reject: { by: person, at: where, reason: "no" } })}>
                {t("builder.play_reject", { person, where: nameOf(waited.node) })}
              </Button>,
            ]);
          }
          const key = waited.event_key;
          if (typeof key === "string") {
            return [
              <Button key={waited.node} size="xs" variant="default" onClick={() => onPlay({ event: { key, payload: {} } })}>
                {t("builder.play_event", { key })}
              </Button>,
            ];
          }
          return [];
        })}
        {frame.options.map((option) => (
          <Button key={`${option.node}${option.outcome}`} size="xs" variant="default" leftSection={<IconPlayerPlay size={13} aria-hidden="true" />} onClick={() => onPlay({ [option.outcome]: {} })}>
            {spoken(option.outcome)}
          </Button>
        ))}
        <Group gap={4}>
          <TextInput size="xs" w={80} aria-label={t("builder.play_time")} value={wait} onChange={(event) => setWait(event.currentTarget.value)} />
          <Button size="xs" variant="default" onClick={() => onPlay({ wait })}>
            {t("builder.play_wait")}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

/** The run as it was played, kept for the type: every draft is held to it before it is published. */
function Keep({ entityType, document, script, frame }: { entityType: string; document: JsonObject; script: readonly Json[]; frame: SimulationFrame }) {
  const { t } = useTranslation();
  const keep = useKeepCase();
  const [name, setName] = useState("");
  const expect: JsonObject = { status: frame.status, ...(frame.doc_status !== null && { doc_status: frame.doc_status }) };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        keep.mutate({ entity_type: entityType, name: name.trim(), document, script, world: { confirms: true }, expect }, { onSuccess: () => { done(t("builder.case_kept", { name: name.trim() })); setName(""); } });
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput label={t("builder.case_name")} description={t("builder.case_hint")} value={name} maxLength={100} onChange={(event) => setName(event.currentTarget.value)} />
        <ActionButton needs="processes:design" type="submit" variant="default" loading={keep.isPending}>
          {t("builder.keep_case")}
        </ActionButton>
      </Group>
      {keep.isError && <ProblemAlert error={keep.error} />}
    </form>
  );
}

/** What a step is called; nothing for what only connects. */
function nameIn(graph: Graph, node: string): string {
  const drawn = graph.nodes.find(({ id }) => id === node);
  return drawn?.lock === "attachment" ? "" : (drawn?.name ?? node.split(":").at(-1) ?? node);
}

function overlayAt(frames: readonly SimulationFrame[]) {
  const now = frames.at(-1);
  return overlayOf({
    tokens: (now?.tokens ?? []).map(({ node }) => node),
    steps: frames.flatMap(({ steps }) => steps.map(({ node, status, edges }) => ({ node_id: node, status, chosen_edge_ids: edges }))),
  });
}

/** A document that the contract would take, to begin with. */
function sample(schema: JsonObject): JsonObject {
  const empty = emptyOf(schema, schema);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const filled = required.flatMap((name) => {
    if (typeof name !== "string") return [];
    const property = properties[name];
    const type = isObject(property) ? property.type : undefined;
    return [[name, type === "number" || type === "integer" ? 100 : type === "boolean" ? false : type === "array" ? [] : type === "object" ? {} : "…"] as const];
  });
  return { ...Object.fromEntries(filled), ...(isObject(empty) ? empty : {}) };
}

function read(text: string): JsonObject | null {
  try {
    const value = parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
