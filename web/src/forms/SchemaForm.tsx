/**
 * A form for any JSON Schema, in the console's clothes. Problems are said where they are, and the first of them is brought into
 * focus; a draft that was found is announced and can be thrown away.
 */
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useId, useMemo, type ReactNode, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { isNumber, numberOf, isNumberText } from "../json/exact";
import { formatNumber } from "../json/format";
import { copyText } from "../json/json";
import { ProblemAlert } from "../ui/ProblemAlert";
import { sentenceCase } from "../ui/sentenceCase";
import { FormProvider, type FormContext, inputId, type Place, type Suggest } from "./context";
import { FieldView } from "./FieldView";
import { fieldOf, type Schema } from "./schema";
import classes from "./SchemaForm.module.css";
import type { SchemaFormHandle } from "./useSchemaForm";
import { PROBLEM_CODES, type FieldFault } from "./validate";

interface Props {
  form: SchemaFormHandle;
  schema: Schema;
  /** What the button says that sends it. */
  action: string;
  readOnly?: boolean;
  suggestionsFor?: (place: Place) => Suggest | undefined;
  /** Further buttons, left of the one that sends. */
  children?: ReactNode;
}

const NO_SUGGESTIONS = () => undefined;

export function SchemaForm({ form, schema, action, readOnly = false, suggestionsFor = NO_SUGGESTIONS, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { state, dispatch, faults, refused, submitted, visited, visit } = form;
  const field = useMemo(() => fieldOf(schema, schema), [schema]);
  const words = useFaultWords();
  const errors = useMemo(() => {
    const found = new Map(Object.entries(refused).map(([pointer, words]) => [pointer, sentenceCase(words)]));
    for (const fault of faults) {
      const due = submitted || [...visited].some((pointer) => pointer === fault.pointer);
      if (due && !found.has(fault.pointer)) found.set(fault.pointer, words(fault));
    }
    return found;
  }, [faults, refused, submitted, visited, words]);
  const context = useMemo<FormContext>(
    () => ({
      id,
      root: schema,
      state,
      readOnly,
      dispatch,
      suggestionsFor,
      errorAt: (pointer) => errors.get(pointer),
      visited: visit,
      show: (value) => (isNumber(value) ? formatNumber(value) : value === null ? "—" : copyText(value)),
    }),
    [id, schema, state, readOnly, dispatch, suggestionsFor, errors, visit],
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const [first] = await form.submit();
    if (first) focusOn(id, first.pointer);
  };
  const whole = errors.get("");
  return (
    <FormProvider value={context}>
      <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
        <Stack>
          <DraftNotice form={form} />
          <FieldView field={field} path={[]} top />
          {form.failure !== undefined && form.failure !== null && <ProblemAlert error={form.failure} />}
          {whole && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {whole}
            </Text>
          )}
          {!readOnly && (
            <Group justify="flex-end" className={classes.actions}>
              <Text size="sm" c="dimmed" role="status" mr="auto">
                {submitted && faults.length > 0 ? t("form.to_mend", { count: faults.length }) : form.dirty ? t("common.unsaved") : ""}
              </Text>
              {form.dirty && (
                <Button variant="subtle" onClick={form.discard}>
                  {t("form.discard")}
                </Button>
              )}
              {children}
              <Button type="submit" loading={form.busy}>
                {action}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </FormProvider>
  );
}

function DraftNotice({ form }: { form: SchemaFormHandle }) {
  const { t } = useTranslation();
  const { restored } = form;
  if (restored === "no") return null;
  const waits = restored !== "yes";
  return (
    <Alert
      color={waits ? "ochre" : "slate"}
      role="status"
      title={t(restored === "yes" ? "form.draft_restored" : restored === "stale" ? "form.draft_stale" : "form.overtaken")}
    >
      {waits && <Text size="sm">{t(restored === "stale" ? "form.draft_stale_hint" : "form.overtaken_hint")}</Text>}
      <Group mt={waits ? "sm" : 0} gap="sm">
        {restored === "stale" && (
          <Button size="xs" variant="default" onClick={form.takeDraft}>
            {t("form.draft_take")}
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={form.discard}>
          {t(restored === "overtaken" ? "form.overtaken_show" : "form.draft_discard")}
        </Button>
      </Group>
    </Alert>
  );
}

/** A fault in the reader's words. */
function useFaultWords(): (fault: FieldFault) => string {
  const { t } = useTranslation();
  return useMemo(
    () =>
      ({ code, limit = "" }) => {
        const shown = isNumberText(limit) ? formatNumber(numberOf(limit)) : limit;
        if (code === "required") return t("common.required");
        if (code === "not_read") return t("form.problem_not_read");
        const known = PROBLEM_CODES.find((each) => each === code) ?? "unfit";
        return (t as (key: string, values: object) => string)(`form.problem_${known}`, { limit: shown });
      },
    [t],
  );
}

/** Brings the first field that needs attention under the cursor; a group has its first input focused. */
function focusOn(form: string, pointer: string): void {
  // After the errors are drawn: a message above would move the field away again.
  requestAnimationFrame(() => {
    const place = document.getElementById(inputId(form, pointer));
    const target = place?.matches("input, textarea, select, button") ? place : place?.querySelector<HTMLElement>("input, textarea, select, button");
    target?.focus();
    target?.scrollIntoView({ block: "center" });
  });
}
