/** A question that waits, and the way to answer it that fits its shape. What was typed is kept until it is sent. */
import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SessionPrompt, useAnswerPrompt } from "../../api/sessions";
import { emptyOf, type Schema } from "../../forms/schema";
import { SchemaForm } from "../../forms/SchemaForm";
import { useSchemaForm } from "../../forms/useSchemaForm";
import { copyText, type Json as JsonValue, type JsonObject } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";
import { Json } from "../../ui/Json";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { When } from "../../ui/When";
import { actorName } from "../audit/actor";
import { capital } from "../../ui/sentenceCase";
import { answerOf, besides, type Decided, type Decision, type Dialect, givenWith, type Question, questionOf, type ToolCall } from "./promptShape";

interface Props {
  session: string;
  prompt: SessionPrompt;
}

export function Prompt({ session, prompt }: Props) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const answer = useAnswerPrompt(session);
  // Read once: a form must not change its shape while somebody fills it in.
  const [question] = useState(() => questionOf(prompt.content as JsonObject, prompt.response_schema));
  const send = (value: JsonValue) => answer.mutateAsync({ answer: value, prompt_id: prompt.prompt_id });
  const more = besides(prompt.content as JsonObject);
  const [wasOpen] = useState(prompt.status === "open");
  const words = typeof prompt.content.prompt === "string" ? prompt.content.prompt : t("sessions.asked");
  if (prompt.status !== "open") {
    // It was open when it was shown here: somebody else was faster, or its time is over.
    return wasOpen && !answer.isSuccess ? <Closed prompt={prompt} words={words} /> : null;
  }
  return (
    <Card component="section" aria-label={words}>
      <Stack>
        <Title order={2} size="h3">
          {words}
        </Title>
        {prompt.expires_at && (
          <Text size="sm" c="dimmed">
            {t("sessions.expires")} <When at={prompt.expires_at} />
          </Text>
        )}
        {Object.keys(more).length > 0 && <Json value={more} label={t("sessions.context")} />}
        {may("sessions:write") ? (
          <Ways prompt={prompt} question={question} busy={answer.isPending} send={send} />
        ) : (
          <Text c="dimmed">{t("common.needs_permission", { permission: "sessions:write" })}</Text>
        )}
        {answer.isError && (question.kind === "options" || question.kind === "yes_no" || question.kind === "decisions") && <ProblemAlert error={answer.error} />}
      </Stack>
    </Card>
  );
}

function Closed({ prompt, words }: { prompt: SessionPrompt; words: string }) {
  const { t } = useTranslation();
  return (
    <Alert role="alert" color="ochre" title={words}>
      <Text size="sm">
        {prompt.status === "answered" && prompt.answered_by
          ? t("sessions.answered_by", { by: actorName(prompt.answered_by).name })
          : t("sessions.closed")}
      </Text>
      {prompt.status === "answered" && <Json value={prompt.answer} label={t("sessions.their_answer")} />}
    </Alert>
  );
}

interface WaysProps {
  prompt: SessionPrompt;
  question: Question;
  busy: boolean;
  send: (value: JsonValue) => Promise<unknown>;
}

const TEXT: Schema = { type: "string", minLength: 1 };
const ANY: Schema = {};

function Ways({ prompt, question, busy, send }: WaysProps) {
  const { t } = useTranslation();
  const [inJson, setInJson] = useState(false);
  const asJson = (
    <Button variant="subtle" size="compact-sm" onClick={() => setInJson(!inJson)} aria-expanded={inJson}>
      {t("sessions.as_json")}
    </Button>
  );
  const at_once = (value: JsonValue) => void send(value).catch(() => undefined);
  const form = (key: string, schema: Schema, initial: JsonValue, children?: ReactNode) => (
    <AnswerForm key={key} id={`${prompt.prompt_id}.${key}`} schema={titled(schema, t("sessions.answer"))} initial={initial} send={send}>
      {children}
    </AnswerForm>
  );
  if (inJson) return form("json", ANY, null, asJson);
  switch (question.kind) {
    case "schema":
      return form("schema", question.schema, emptyOf(question.schema, question.schema) ?? null, asJson);
    case "text":
      return form("text", TEXT, "", asJson);
    case "json":
      return form("any", ANY, null);
    case "yes_no":
      return <Buttons busy={busy} options={[[capital(t("common.yes")), true], [capital(t("common.no")), false]]} onChoose={at_once} />;
    case "options":
      return <Buttons busy={busy} options={question.options.map((option) => [copyText(option), option])} onChoose={at_once} />;
    case "decisions": {
      const [call] = question.calls;
      const one = question.calls.length === 1 && call;
      return one ? (
        <Deciding id={prompt.prompt_id} dialect={question.dialect} call={call} busy={busy} send={send}>
          {asJson}
        </Deciding>
      ) : (
        <DecidingEach id={prompt.prompt_id} dialect={question.dialect} calls={question.calls} send={send}>
          {asJson}
        </DecidingEach>
      );
    }
  }
}

function Buttons({ options, busy, onChoose }: { options: readonly (readonly [label: string, value: JsonValue])[]; busy: boolean; onChoose: (value: JsonValue) => void }) {
  return (
    <Group>
      {options.map(([label, value]) => (
        <Button key={label} variant="default" disabled={busy} onClick={() => onChoose(value)}>
          {label}
        </Button>
      ))}
    </Group>
  );
}

/** Declining is declining, whatever the graph calls it. */
const wordOf = (decision: Decision) => (decision === "reject" ? "ignore" : decision);

function useGiven() {
  const { t } = useTranslation();
  const words = { answer: t("sessions.answer"), reason: t("sessions.decline_reason"), args: t("sessions.arguments") };
  return (decision: Decision, call: ToolCall) => givenWith(decision, call, words);
}

interface DecidingProps {
  id: string;
  dialect: Dialect;
  send: (value: JsonValue) => Promise<unknown>;
  children: ReactNode;
}

/** One call: what needs no more words is done with one press. */
function Deciding({ id, dialect, call, busy, send, children }: DecidingProps & { call: ToolCall; busy: boolean }) {
  const { t } = useTranslation();
  const given = useGiven();
  const [chosen, setChosen] = useState<Decision | null>(null);
  const schema = chosen && given(chosen, call);
  const decide = (one: Decided) => send(answerOf(dialect, [call], [one]));
  return (
    <Stack>
      {call.description && <Text style={{ whiteSpace: "pre-wrap" }}>{call.description}</Text>}
      <Group>
        {call.allowed.map((decision) => (
          <Button
            key={decision}
            variant={decision === "accept" ? "filled" : "default"}
            disabled={busy}
            {...(given(decision, call) && { "aria-expanded": chosen === decision })}
            onClick={() => {
              if (given(decision, call)) setChosen(chosen === decision ? null : decision);
              else void decide({ decision }).catch(() => undefined);
            }}
          >
            {t(`sessions.decide_${wordOf(decision)}`)}
          </Button>
        ))}
        {children}
      </Group>
      {chosen && schema && (
        <AnswerForm key={chosen} id={`${id}.${chosen}`} schema={schema} initial={emptyOf(schema, schema) ?? null} send={(value) => decide({ decision: chosen, given: value })} />
      )}
    </Stack>
  );
}

/** Several calls: each is decided, and all of it sent at once, as the graph expects it. */
function DecidingEach({ id, dialect, calls, send, children }: DecidingProps & { calls: readonly ToolCall[] }) {
  const { t } = useTranslation();
  const given = useGiven();
  const variant = (decision: Decision, call: ToolCall): Schema => {
    const schema = given(decision, call);
    return {
      title: t(`sessions.decide_${wordOf(decision)}`),
      type: "object",
      required: decision === "reject" ? ["decision"] : ["decision", ...(schema ? ["given"] : [])],
      properties: { decision: { const: decision }, ...(schema && { given: schema }) },
    };
  };
  const schema: Schema = {
    type: "object",
    required: calls.map((_, at) => `call_${at}`),
    properties: Object.fromEntries(
      calls.map((call, at) => [
        `call_${at}`,
        { title: `${at + 1}. ${call.action}`, description: [call.description, copyText(call.args)].filter(Boolean).join("\n"), oneOf: call.allowed.map((decision) => variant(decision, call)) },
      ]),
    ),
  };
  const decide = (value: JsonValue) => send(answerOf(dialect, calls, calls.map((_, at) => (value as Record<string, JsonValue>)[`call_${at}`] as unknown as Decided)));
  return (
    <AnswerForm id={`${id}.each`} schema={schema} initial={{}} send={decide}>
      {children}
    </AnswerForm>
  );
}

const titled = (schema: Schema, title: string): Schema => (schema.title === undefined ? { ...schema, title } : schema);

interface FormProps {
  id: string;
  schema: Schema;
  initial: JsonValue;
  send: (value: JsonValue) => Promise<unknown>;
  children?: ReactNode;
}

function AnswerForm({ id, schema: given, initial, send, children }: FormProps) {
  const { t } = useTranslation();
  const { tenant, me } = useSignedIn();
  // A schema is made anew with each drawing, and means the same.
  const [schema] = useState(given);
  const begun = useMemo(() => initial, []); // eslint-disable-line react-hooks/exhaustive-deps -- as it was when it was asked
  const form = useSchemaForm({ schema, initial: begun, draftKey: `${tenant}.${me.name}.prompt.${id}`, under: "answer", onSubmit: send });
  return (
    <SchemaForm form={form} schema={schema} action={t("sessions.send")}>
      {children}
    </SchemaForm>
  );
}
