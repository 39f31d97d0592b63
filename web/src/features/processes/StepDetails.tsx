/** Everything about one step: what it waits for, why it went as it did, what it was given, what it gave. */
import { Badge, Code, Divider, Group, List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ProcessStep, Reason, Wait } from "../../api/types";
import type { Graph } from "../../canvas/graph";
import { slotTitle } from "../../canvas/slotTitle";
import { useTypeWord } from "../../canvas/useNodeNames";
import { useCodeWords } from "../../i18n/useCodeWords";
import { stringify } from "../../json/json";
import { Facts } from "../../ui/Facts";
import { Json } from "../../ui/Json";
import { capital, sentenceCase } from "../../ui/sentenceCase";
import { When } from "../../ui/When";
import { traceLines } from "./moments";
import { useWaitWords } from "./waits";

interface Props {
  node: string;
  /** Each time the process came by here, oldest first. */
  steps: readonly ProcessStep[];
  graph: Graph | null;
  reasons: readonly Reason[];
  wait: Wait | undefined;
}

export function StepDetails({ node, steps, graph, reasons, wait }: Props) {
  const { t } = useTranslation();
  const word = useTypeWord();
  const waitWords = useWaitWords();
  const drawn = graph?.nodes.find(({ id }) => id === node);
  const slot = drawn?.compiled.provenance ?? "";
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h3" id="step-title">
          {drawn?.name ?? node}
        </Title>
        <Text size="sm" c="dimmed">
          {[drawn && word(drawn.type), slot.startsWith("slot:") && t("processes.from_slot", { slot: slotTitle(slot) }), drawn?.lock && t(`canvas.lock_${drawn.lock}`)].filter(Boolean).join(" · ")}
        </Text>
      </div>
      {wait && (
        <Facts
          facts={[
            [t("processes.waits_for"), <span key="wait">{waitWords(wait)}</span>],
            wait.since && [t("processes.since"), <When key="since" at={wait.since} as="exact" />],
            wait.resume_at && [capital(t("inbox.due")), <When key="due" at={wait.resume_at} as="exact" />],
            wait.event_key && [t("processes.event_key"), <code key="key">{wait.event_key}</code>],
          ]}
        />
      )}
      {steps.length === 0 && <Text c="dimmed">{t("processes.not_reached")}</Text>}
      {steps.map((step, at) => (
        <div key={step.id}>
          {at > 0 && <Divider mb="md" />}
          <Passed step={step} nth={steps.length > 1 ? at + 1 : null} reasons={reasons.filter((reason) => reason.node === node && reason.seq === step.settled_seq)} />
        </div>
      ))}
    </Stack>
  );
}

/** What of an output is shown in other words: the edges on the drawing, the expressions as a trace. */
const TOLD = new Set(["chosen_edge_ids", "expressions"]);

function Passed({ step, nth, reasons }: { step: ProcessStep; nth: number | null; reasons: readonly Reason[] }) {
  const { t } = useTranslation();
  const codeWords = useCodeWords();
  const traces = traceLines(step);
  const output = Object.fromEntries(Object.entries(step.output).filter(([name]) => !TOLD.has(name)));
  const by = step.settled_by ?? step.actor;
  return (
    <Stack gap="sm">
      {nth !== null && <Badge color="slate">{t("processes.nth_time", { nth })}</Badge>}
      <Facts
        facts={[
          [t("processes.began"), <When key="began" at={step.created_at} as="exact" />],
          step.completed_at && [t("processes.ended"), <When key="ended" at={step.completed_at} as="exact" />],
          step.outcome && [t("processes.outcome"), <code key="outcome">{step.outcome}</code>],
          by && [t("processes.by"), by],
          step.acted_as && step.acted_as.replace(/^user:/, "") !== by && [t("processes.acted_as"), step.acted_as],
          [t("documents.version"), step.entity_version],
        ]}
      />
      {traces.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t("processes.trace")}
          </Text>
          {traces.map((trace) => (
            <div key={trace.expression}>
              <Group gap="xs">
                <Code>{trace.expression}</Code>
                <Text size="sm" lang="en">
                  {trace.because}
                </Text>
              </Group>
              <Text size="xs" c="dimmed">
                {trace.variables.map(([name, value]) => `${name} = ${typeof value === "string" ? value : stringify(value)}`).join(", ")}
              </Text>
            </div>
          ))}
        </div>
      )}
      {traces.length === 0 && reasons.length > 0 && (
        <List size="sm">
          {[...new Map(reasons.map((reason) => [reason.because, codeWords(`reason.because_${reason.code}`, reason.params)]))].map(([because, words]) => (
            <List.Item key={because} lang={words ? undefined : "en"}>
              {words ?? sentenceCase(because)}
            </List.Item>
          ))}
        </List>
      )}
      {step.error && <Json value={step.error} label={t("processes.error")} />}
      {Object.keys(step.input).length > 0 && <Part title={t("processes.input")} value={step.input} />}
      {Object.keys(output).length > 0 && <Part title={t("processes.output")} value={output} />}
    </Stack>
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <Json value={value} label={title} />
    </div>
  );
}
