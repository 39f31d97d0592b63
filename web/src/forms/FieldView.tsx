/** One place of a form, by its kind. */
import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { same, type Json } from "../json/json";
import { pointerOf, valueAt, type Path } from "../json/pointer";
import { ArrayField } from "./ArrayField";
import { ChoiceField } from "./ChoiceField";
import { inputId, useFormContext } from "./context";
import { JsonField } from "./JsonField";
import { instantOf, localInput } from "./moments";
import { NumberField } from "./NumberField";
import { ObjectField } from "./ObjectField";
import type { Field } from "./schema";
import { SuggestField } from "./SuggestField";

export interface FieldProps<Kind extends Field["kind"] = Field["kind"]> {
  field: Extract<Field, { kind: Kind }>;
  path: Path;
  /** The form's own object needs no frame and no name. */
  top?: boolean;
}

export function FieldView({ field, path, top = false }: FieldProps) {
  switch (field.kind) {
    case "object":
      return <ObjectField field={field} path={path} top={top} />;
    case "array":
      return <ArrayField field={field} path={path} />;
    case "choice":
      return <ChoiceField field={field} path={path} />;
    case "json":
      return <JsonField field={field} path={path} />;
    case "number":
    case "money":
      return <NumberField field={field} path={path} />;
    case "enum":
      return <EnumField field={field} path={path} />;
    case "boolean":
      return <BooleanField field={field} path={path} />;
    case "date":
    case "datetime":
      return <MomentField field={field} path={path} />;
    default:
      return <TextField field={field} path={path} />;
  }
}

/** What every input of a form has in common. */
export function useInput(field: Field, path: Path) {
  const form = useFormContext();
  const pointer = pointerOf(path);
  const value = valueAt(form.state.value, path) as Json | undefined;
  const error = form.errorAt(pointer);
  return {
    form,
    pointer,
    value,
    /** Nothing entered: gone where it may be, `null` where it must be there and may be null. */
    put: (next: Json | undefined) =>
      form.dispatch({ kind: "set", path, value: next === undefined && field.required && field.nullable ? null : next }),
    props: {
      id: inputId(form.id, pointer),
      label: field.label,
      description: field.help,
      required: field.required && !field.nullable,
      readOnly: form.readOnly || field.readOnly,
      error,
      onBlur: () => form.visited(pointer),
    },
  };
}

function TextField({ field, path }: FieldProps<"text" | "multiline">) {
  const { form, pointer, value, put, props } = useInput(field, path);
  const shown = typeof value === "string" ? value : value === undefined || value === null ? "" : form.show(value);
  const own = form.render?.({ path, pointer, field }, { ...props, value: shown, onChange: (text) => put(text === "" ? undefined : text) });
  if (own) return own;
  const suggest = form.suggestionsFor({ path, pointer, field });
  if (suggest && !props.readOnly) return <SuggestField {...props} value={shown} suggest={suggest} onChange={(text) => put(text === "" ? undefined : text)} />;
  const change = (text: string) => put(text === "" ? undefined : text);
  return field.kind === "multiline" ? (
    <Textarea {...props} value={shown} autosize minRows={3} maxRows={14} onChange={(event) => change(event.currentTarget.value)} />
  ) : (
    <TextInput {...props} value={shown} autoComplete="off" onChange={(event) => change(event.currentTarget.value)} />
  );
}

function BooleanField({ field, path }: FieldProps<"boolean">) {
  const { value, put, props } = useInput(field, path);
  const { readOnly, label, required, ...rest } = props;
  return (
    <Checkbox
      {...rest}
      label={label}
      aria-required={required}
      aria-invalid={rest.error ? true : undefined}
      checked={value === true}
      // Neither yes nor no until somebody says so.
      indeterminate={value === undefined && field.required}
      onChange={(event) => !readOnly && put(event.currentTarget.checked)}
      aria-readonly={readOnly || undefined}
      mt={{ base: 0, sm: 30 }}
    />
  );
}

function EnumField({ field, path }: FieldProps<"enum">) {
  const { t } = useTranslation();
  const { form, value, put, props } = useInput(field, path);
  const at = field.options.findIndex((option) => same(option.value, value));
  const { readOnly, ...rest } = props;
  const unknown = value !== undefined && value !== null && at < 0;
  const data = [
    ...(at < 0 || !field.required ? [{ value: "", label: unknown ? form.show(value) : t("form.choose") }] : []),
    ...field.options.map((option, index) => ({ value: String(index), label: option.label })),
  ];
  const own = unknown ? null : form.choose?.(field, { label: props.label, description: props.description, error: props.error, readOnly, value, onChange: put });
  if (own) return own;
  return (
    <NativeSelect
      {...rest}
      disabled={readOnly}
      data={data}
      value={at < 0 ? "" : String(at)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        put(chosen === "" ? undefined : field.options[Number(chosen)]?.value);
      }}
    />
  );
}

function MomentField({ field, path }: FieldProps<"date" | "datetime">) {
  const { t } = useTranslation();
  const { value, put, props } = useInput(field, path);
  const given = typeof value === "string" ? value : "";
  if (field.kind === "date") {
    return <TextInput {...props} type="date" value={given} onChange={(event) => put(event.currentTarget.value || undefined)} />;
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const help = [field.help, t("form.in_zone", { zone })].filter(Boolean).join(" ");
  return (
    <TextInput
      {...props}
      description={help}
      type="datetime-local"
      step={1}
      value={localInput(given)}
      onChange={(event) => put(instantOf(event.currentTarget.value) ?? undefined)}
    />
  );
}
