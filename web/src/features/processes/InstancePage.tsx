/** One process: where it stands and how it came there, on the drawing and as steps; any moment of its past; what may be done. */
import { Alert, Badge, Button, Card, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { IconAlertTriangle, IconArrowLeft, IconCheck, IconCircle, IconHistory, IconHourglassHigh, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useContract, useDocument, useVersions } from "../../api/documents";
import { useFresh } from "../../api/fresh";
import { asProblem } from "../../api/problem";
import { useCompiled, useProcess, useStory, useStuck } from "../../api/processes";
import type { DocumentVersion, Instance, ProcessStep, Reason, Wait } from "../../api/types";
import { type Graph, graphOf } from "../../canvas/graph";
import { LazyCanvas } from "../../canvas/LazyCanvas";
import { slotTitle } from "../../canvas/slotTitle";
import { spoken } from "../../forms/schema";
import type { JsonObject } from "../../json/json";
import { LiveBadge } from "../../live/LiveBadge";
import { useSignedIn } from "../../session/SignedIn";
import { LinkButton, TextLink } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { sentenceCase } from "../../ui/sentenceCase";
import { StuckWhy } from "../../ui/StuckWhy";
import { exactTime } from "../../ui/time";
import { When } from "../../ui/When";
import { contractOf } from "../documents/contract";
import { headlineOf } from "../documents/values";
import { useValueWords, Values } from "../documents/Values";
import { ChainBadge } from "./ChainBadge";
import type { InstanceView } from "./filter";
import classes from "./InstancePage.module.css";
import { type Moment, momentsOf, overlayAt, stepsAt, versionAt } from "./moments";
import { Operations } from "./Operations";
import { ProcessBadge } from "./ProcessBadge";
import { StepDetails } from "./StepDetails";

const route = getRouteApi("/processes/$instanceId");

export function InstancePage() {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const { instanceId } = route.useParams();
  const every = useFresh(["processes"]);
  const query = useProcess(instanceId, every);
  const told = useStory(instanceId, every);
  const instance = query.data;
  const contractInfo = useContract(instance?.entity_type);
  const document = useDocument(instance?.document_id);
  const words = useValueWords();
  const contract = useMemo(() => contractInfo && contractOf(contractInfo), [contractInfo]);
  const head = contract && document.data ? headlineOf(contract.schema, document.data.data as JsonObject, words) : undefined;
  const problem = query.isError ? asProblem(query.error) : null;
  const missing = problem?.code === "not_found" || problem?.code === "invalid_input";
  return (
    <Page
      title={instance ? t("processes.of", { what: [contract?.title ?? spoken(instance.workflow_id), head?.name].filter(Boolean).join(" ") }) : t("processes.process")}
      needs="processes:read"
      intro={instance && <Standing instance={instance} waits={told.data?.waits ?? []} />}
      actions={
        <Group gap="sm">
          <LiveBadge />
          {instance && told.data && <Operations instance={instance} steps={told.data.steps} />}
        </Group>
      }
    >
      <Group justify="space-between">
        <LinkButton to="/processes" variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} aria-hidden="true" />}>
          {t("processes.back")}
        </LinkButton>
        <Group gap="md">
          {instance && <ChainBadge />}
          {instance && may("audit:read") && (
            <TextLink to="/audit" search={{ kind: "instance", object: instance.id }} size="sm">
              {t("processes.in_trail")}
            </TextLink>
          )}
          {instance?.document_id && (
            <TextLink to="/documents/$documentId" params={{ documentId: instance.document_id }} size="sm">
              {t("inbox.open_document")}
            </TextLink>
          )}
        </Group>
      </Group>
      {missing ? (
        <Notice>{t("processes.missing")}</Notice>
      ) : (
        <Loaded query={query} lines={5} height={96}>
          {(found) => (
            <>
              <Paused instance={found} />
              {found.status === "running" && <Stuck instance={found.id} />}
              <Loaded query={told} lines={5} height={72}>
                {({ steps, reasons, waits }) => <Drawn instance={found} steps={steps} reasons={reasons} waits={waits} />}
              </Loaded>
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function Standing({ instance, waits }: { instance: Instance; waits: readonly Wait[] }) {
  const { t, i18n } = useTranslation();
  const people = waits.filter(({ kind }) => kind !== "tokens");
  const since = people.map((wait) => wait.since).find(Boolean);
  return (
    <Group component="span" gap="xs" display="inline-flex">
      <ProcessBadge instance={instance} />
      {people.length > 0 && (
        <span>
          {t("processes.waits_at", { names: new Intl.ListFormat(i18n.language).format(people.map(({ name }) => name)) })}
          {since && (
            <>
              {" · "}
              <When at={since} />
            </>
          )}
        </span>
      )}
      {instance.reason && <span lang="en">{instance.reason}</span>}
    </Group>
  );
}

function Paused({ instance }: { instance: Instance }) {
  const { t } = useTranslation();
  if (instance.paused_at === null) return null;
  return (
    <Alert color="ochre" title={t("processes.paused_by", { by: instance.paused_by?.replace(/^user:/, "") ?? "" })}>
      {instance.pause_reason} · <When at={instance.paused_at} />
    </Alert>
  );
}

/** Why it would stand still for ever, where it would. */
function Stuck({ instance }: { instance: string }) {
  const { t } = useTranslation();
  const stuck = useStuck(false).data?.find(({ instance_id }) => instance_id === instance);
  if (!stuck) return null;
  return (
    <Alert color="ochre" icon={<IconAlertTriangle aria-hidden="true" />} title={t("processes.is_stuck")}>
      <StuckWhy reasons={stuck.reasons ?? []} why={sentenceCase(stuck.why)} />
      <div>{t("processes.is_stuck_hint")}</div>
    </Alert>
  );
}

interface DrawnProps {
  instance: Instance;
  steps: readonly ProcessStep[];
  reasons: readonly Reason[];
  waits: readonly Wait[];
}

function Drawn({ instance, steps, reasons, waits }: DrawnProps) {
  const { t } = useTranslation();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const compiled = useCompiled(instance.definition_id);
  const graph = useMemo(() => (compiled.data ? graphOf(compiled.data) : null), [compiled.data]);
  const moments = useMemo(() => momentsOf(steps), [steps]);
  const last = moments.length - 1;
  const position = view.at === undefined || view.at >= last ? last : view.at;
  const past = position < last;
  const at = past ? (moments[position]?.at ?? null) : null;
  const then = useMemo(() => stepsAt(steps, at), [steps, at]);
  const overlay = useMemo(() => overlayAt(then), [then]);
  const show = (next: InstanceView) => void navigate({ search: next, replace: true, resetScroll: false });
  const open = (node: string) => show({ ...view, step: node });
  const chosen = view.step ?? then.findLast(({ completed_at }) => completed_at === null)?.node_id ?? then.at(-1)?.node_id;
  const scrub = (to: number) => show({ ...(view.step && { step: view.step }), ...(to < last && { at: to }) });
  return (
    <Stack gap="lg">
      <Card padding={0} component="section" aria-label={t("processes.drawing")}>
        {graph ? <LazyCanvas graph={graph} label={t("processes.drawing")} overlay={overlay} selected={chosen ?? null} onOpen={open} height={380} /> : <Notice>{t("processes.no_drawing")}</Notice>}
        {moments.length > 1 && <Scrubber moments={moments} position={position} graph={graph} onMove={scrub} />}
      </Card>
      {past && <Then instance={instance} at={at} />}
      <div className={classes.columns}>
        <Card component="section" aria-labelledby="steps-title" padding="sm">
          <Title order={2} size="h3" id="steps-title" px="xs" pt={4} pb="xs">
            {t("processes.steps")}
          </Title>
          <StepTree steps={then} graph={graph} chosen={chosen} onOpen={open} />
        </Card>
        <Card component="section" aria-labelledby="step-title">
          {chosen ? (
            <StepDetails node={chosen} steps={then.filter(({ node_id }) => node_id === chosen)} graph={graph} reasons={reasons} wait={past ? undefined : waits.find((wait) => wait.node === chosen)} />
          ) : (
            <Notice>{t("processes.choose_step")}</Notice>
          )}
        </Card>
      </div>
    </Stack>
  );
}

function Scrubber({ moments, position, graph, onMove }: { moments: readonly Moment[]; position: number; graph: Graph | null; onMove: (to: number) => void }) {
  const { t } = useTranslation();
  const moment = moments[position];
  const words = useMomentWords(graph);
  if (!moment) return null;
  const said = `${words(moment)} · ${exactTime(new Date(moment.at))}`;
  const now = position === moments.length - 1;
  return (
    <>
      <div className={classes.scrubber}>
        <Button variant="default" size="compact-sm" disabled={position === 0} onClick={() => onMove(position - 1)}>
          {t("processes.earlier")}
        </Button>
        <input
          type="range"
          min={0}
          max={moments.length - 1}
          value={position}
          aria-label={t("processes.scrubber")}
          aria-valuetext={said}
          onChange={(event) => onMove(Number(event.currentTarget.value))}
        />
        <Button variant="default" size="compact-sm" disabled={now} onClick={() => onMove(position + 1)}>
          {t("processes.later")}
        </Button>
      </div>
      <div className={classes.then} role="status">
        <Group justify="space-between">
          <Text size="sm">
            <b>{t("processes.moment", { at: position + 1, of: moments.length })}</b> {said}
          </Text>
          {!now && (
            <Button variant="subtle" size="compact-sm" onClick={() => onMove(moments.length - 1)}>
              {t("processes.to_now")}
            </Button>
          )}
        </Group>
      </div>
    </>
  );
}

/** What happened in a moment: the gates and decisions in it, else the last step. */
function useMomentWords(graph: Graph | null): (moment: Moment) => string {
  const { t } = useTranslation();
  const name = (node: string) => graph?.nodes.find(({ id }) => id === node)?.name ?? spoken(node.split(":").at(-1) ?? node);
  return ({ settled, opened }) => {
    const telling = settled.filter(({ node_type }) => node_type === "lifecycle_gate" || node_type === "approval" || node_type === "task");
    const [shown] = telling.length > 0 ? [telling] : [settled.slice(-1)];
    const did = shown.map(({ node_id, outcome }) => (outcome && outcome !== "completed" ? `${name(node_id)}: ${spoken(outcome).toLowerCase()}` : name(node_id)));
    const waits = opened.map(({ node_id }) => name(node_id));
    return [did.join(", "), waits.length > 0 && t("processes.then_waits", { names: waits.join(", ") })].filter(Boolean).join(" · ");
  };
}

/** The document as it was at a moment. */
function Then({ instance, at }: { instance: Instance; at: string | null }) {
  const { t } = useTranslation();
  const info = useContract(instance.entity_type);
  const versions = useVersions(instance.document_id);
  const found: DocumentVersion | undefined = versionAt(versions.data ?? [], at);
  if (!instance.document_id || !found || !info) return null;
  return (
    <Card component="section" aria-labelledby="then-title">
      <Title order={2} size="h3" mb="md" id="then-title">
        <IconHistory size={18} aria-hidden="true" style={{ verticalAlign: "-3px", marginInlineEnd: 8 }} />
        {t("processes.document_then", { version: found.version })}
      </Title>
      <Values schema={contractOf(info).schema} data={found.data as JsonObject} />
    </Card>
  );
}

interface TreeProps {
  steps: readonly ProcessStep[];
  graph: Graph | null;
  chosen: string | undefined;
  onOpen: (node: string) => void;
}

/** Steps in the order they were taken, those of a slot under its name; what only connects is left out. */
function StepTree({ steps, graph, chosen, onOpen }: TreeProps) {
  const { t } = useTranslation();
  const shown = [...steps].filter(({ node_type }) => node_type !== "attachment").sort((one, other) => one.opened_seq - other.opened_seq);
  const slotOf = (node: string) => graph?.nodes.find(({ id }) => id === node)?.compiled.provenance ?? "envelope";
  const groups: { slot: string; steps: ProcessStep[] }[] = [];
  for (const step of shown) {
    const slot = slotOf(step.node_id);
    const current = groups.at(-1);
    if (current?.slot === slot) current.steps.push(step);
    else groups.push({ slot, steps: [step] });
  }
  return (
    <ol className={classes.tree}>
      {groups.map(({ slot, steps: inside }, at) => (
        <li key={at}>
          {slot.startsWith("slot:") && <div className={classes.slot}>{slotTitle(slot)}</div>}
          <ol className={classes.tree}>
            {inside.map((step) => (
              <li key={step.id}>
                <UnstyledButton className={classes.step} aria-current={step.node_id === chosen} onClick={() => onOpen(step.node_id)}>
                  <StepMark step={step} />
                  <span>
                    {graph?.nodes.find(({ id }) => id === step.node_id)?.name ?? step.node_id}
                    {step.outcome && step.outcome !== "completed" && (
                      <Badge size="sm" color="slate" ml={6}>
                        {step.outcome}
                      </Badge>
                    )}
                    {step.error && (
                      <Text size="xs" c="var(--mantine-color-error)" lang="en">
                        {sentenceCase(messageOf(step.error) ?? t("processes.status_failed"))}
                      </Text>
                    )}
                  </span>
                  <When at={step.completed_at ?? step.created_at} as="clock" />
                </UnstyledButton>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function messageOf(error: object): string | undefined {
  return "message" in error && typeof error.message === "string" ? error.message : undefined;
}

function StepMark({ step }: { step: ProcessStep }) {
  const { t } = useTranslation();
  const status = step.status === "failed" ? "failed" : step.completed_at !== null ? "completed" : "waiting";
  const Icon = status === "failed" ? IconX : status === "completed" ? IconCheck : step.node_type === "state" ? IconCircle : IconHourglassHigh;
  return (
    <span className={classes.mark} data-status={status}>
      <Icon size={14} role="img" aria-label={t(status === "failed" ? "processes.status_failed" : status === "completed" ? "processes.step_done" : "processes.step_waits")} />
    </span>
  );
}
