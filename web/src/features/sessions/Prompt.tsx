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
import { besides, decided, type Decision, type Question, questionOf } from "./promptShape";

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
        {answer.isError && (question.kind === "options" || question.kind === "decision") && <ProblemAlert error={answer.error} />}
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
  const [way, setWay] = useState<"edit" | "response" | "json" | null>(null);
  const asJson = (
    <Button variant="subtle" size="compact-sm" onClick={() => setWay(way === "json" ? null : "json")} aria-expanded={way === "json"}>
      {t("sessions.as_json")}
    </Button>
  );
  const form = (key: string, schema: Schema, initial: JsonValue, wrap: (value: JsonValue) => JsonValue, children?: ReactNode) => (
    <AnswerForm key={key} id={`${prompt.prompt_id}.${key}`} schema={titled(schema, t("sessions.answer"))} initial={initial} send={(value) => send(wrap(value))}>
      {children}
    </AnswerForm>
  );
  const plain = (value: JsonValue) => value;
  if (way === "json") return form("json", ANY, question.kind === "decision" ? question.args : null, plain, asJson);
  switch (question.kind) {
    case "schema":
      return form("schema", question.schema, emptyOf(question.schema, question.schema) ?? null, plain, asJson);
    case "text":
      return form("text", TEXT, "", plain, asJson);
    case "json":
      return form("any", ANY, null, plain);
    case "options":
      return (
        <Group>
          {question.options.map((option) => (
            <Button key={copyText(option)} variant="default" disabled={busy} onClick={() => void send(option).catch(() => undefined)}>
              {copyText(option)}
            </Button>
          ))}
        </Group>
      );
    case "decision": {
      const decide = (decision: Decision) => {
        if (decision === "edit" || decision === "response") setWay(way === decision ? null : decision);
        else void send(decided(decision, question, null)).catch(() => undefined);
      };
      return (
        <Stack>
          <Group>
            {question.allowed.map((decision) => (
              <Button key={decision} variant={decision === "accept" ? "filled" : "default"} disabled={busy} onClick={() => decide(decision)}>
                {t(`sessions.decide_${decision}`)}
              </Button>
            ))}
            {asJson}
          </Group>
          {way === "edit" && form("edit", ANY, question.args, (value) => decided("edit", question, value))}
          {way === "response" && form("response", TEXT, "", (value) => decided("response", question, value))}
        </Stack>
      );
    }
  }
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
