/** One part: its form, and below it the steps that use it. */
import { Button, Drawer, Group, Stack, TextInput } from "@mantine/core";
import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Place } from "../../api/definitions";
import type { UsedKind } from "../../api/parts";
import { ConfigForm } from "../../builder/ConfigForm";
import { ExpressionField } from "../../builder/ExpressionField";
import { useConfigSuggestions } from "../../builder/useConfigSuggestions";
import type { Schema } from "../../forms/schema";
import { isObject, type JsonObject } from "../../json/json";
import { ActionButton } from "../../ui/ActionButton";
import { done } from "../../ui/notify";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { isName } from "../users/search";
import { Uses } from "./Uses";

interface Props {
  /** What workflows call it, if they can name it. */
  kind?: UsedKind;
  /** Empty for a new one. */
  name: string;
  title: string;
  /** Its form; of what is filled in so far, where that decides what else there is to say. */
  schema: Schema | ((value: JsonObject) => Schema);
  initial: JsonObject;
  needs: string;
  /** Where expressions of it are evaluated. */
  place: (value: JsonObject) => Place | null;
  save: { mutate: (wanted: { name: string; body: JsonObject }, on: { onSuccess: () => void }) => void; isPending: boolean; error: unknown };
  onClose: () => void;
}

const NO_ACTIONS: readonly string[] = [];
const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

export function PartDrawer({ kind, name, title, schema: given, initial, needs, place, save, onClose }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const [value, setValue] = useState(initial);
  const [tried, setTried] = useState(false);
  const suggestionsFor = useConfigSuggestions(NO_ACTIONS);
  const at = place(value);
  const schema = typeof given === "function" ? given(value) : given;
  const shape = JSON.stringify(schema);
  // The same form as long as it says the same.
  const form = useMemo(() => JSON.parse(shape) as Schema, [shape]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isName(typed)) return;
    save.mutate(
      { name: typed, body: said(value, form) },
      {
        onSuccess: () => {
          done(t("parts.saved", { name: typed }));
          onClose();
        },
      },
    );
  };
  return (
    <Drawer opened onClose={onClose} title={title} size={640} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap="lg">
        <form onSubmit={submit} noValidate>
          <Stack>
            {name === "" && <TextInput label={t("parts.name")} required data-autofocus autoComplete="off" spellCheck={false} value={typed} error={tried && !isName(typed) ? t("common.name_rule") : undefined} onChange={(event) => setTyped(event.currentTarget.value)} />}
            <ConfigForm
              id="part"
              schema={form}
              value={value}
              readOnly={false}
              problems={NO_PROBLEMS}
              suggestionsFor={suggestionsFor}
              render={({ field }, input) => (at && field.schema["x-widget"] === "expression" ? <ExpressionField {...input} place={at} gives={typeof field.schema["x-type"] === "string" ? field.schema["x-type"] : "any"} /> : null)}
              onChange={(next) => isObject(next) && setValue(next)}
            />
            {save.error !== null && save.error !== undefined && <ProblemAlert error={save.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <ActionButton needs={needs} type="submit" loading={save.isPending}>
                {t("common.save")}
              </ActionButton>
            </Group>
          </Stack>
        </form>
        {kind && name !== "" && <Uses kind={kind} name={name} needs={needs} onDeleted={onClose} />}
      </Stack>
    </Drawer>
  );
}

/** What the form asks for; what was said to a question that is not asked any more is not sent. */
function said(value: JsonObject, { properties }: Schema): JsonObject {
  return isObject(properties) ? Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))) : value;
}
