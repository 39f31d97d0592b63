/** A task: the form it asks for, with its buttons. What was typed is kept until it is sent. */
import { Button } from "@mantine/core";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useAnswer } from "../../api/people";
import type { InboxItem, Request } from "../../api/types";
import { emptyOf, type Schema, spoken } from "../../forms/schema";
import { SchemaForm } from "../../forms/SchemaForm";
import { useSchemaForm } from "../../forms/useSchemaForm";
import { isObject, type Json, type JsonObject } from "../../json/json";
import { useSignedIn } from "../../session/SignedIn";

interface Props {
  item: InboxItem;
  request: Request;
  onDecided: (item: InboxItem, words: string) => void;
}

const NOTHING: Schema = { type: "object", properties: {} };
const NOT_BUTTONS = new Set(["timeout", "error"]);

export function TaskForm({ item, request, onDecided }: Props) {
  const { t } = useTranslation();
  const { tenant, me } = useSignedIn();
  const answer = useAnswer();
  const schema = useMemo<Schema>(() => (isObject(request.form) ? request.form : NOTHING), [request.form]);
  const initial = useMemo<Json>(() => emptyOf(schema, schema) ?? {}, [schema]);
  const buttons = request.outcomes.filter((outcome) => !NOT_BUTTONS.has(outcome));
  // Which button sends it: set by its press, read in the sending that the press causes, and gone after that.
  const pressed = useRef<string | null>(null);
  const press = (outcome: string) => {
    pressed.current = outcome;
    setTimeout(() => (pressed.current = null));
  };
  const form = useSchemaForm({
    schema,
    initial,
    draftKey: `${tenant}.${me.name}.task.${item.id}`,
    under: "data",
    onSubmit: async (value) => {
      await answer.mutateAsync({ id: item.id, data: value as JsonObject, answer: pressed.current ?? buttons[0] ?? null });
      onDecided(item, t("inbox.said_answered", { title: item.title }));
    },
  });
  const [main = "completed", ...others] = buttons;
  const label = (outcome: string) => (outcome === "completed" ? t("inbox.complete") : spoken(outcome));
  return (
    <SchemaForm form={form} schema={schema} action={label(main)}>
      {others.map((outcome) => (
        <Button key={outcome} type="submit" variant="default" onClick={() => press(outcome)}>
          {label(outcome)}
        </Button>
      ))}
    </SchemaForm>
  );
}
