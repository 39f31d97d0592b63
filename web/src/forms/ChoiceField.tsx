/** One of several shapes: first which, then its fields. What was entered in one is kept while another is looked at. */
import { NativeSelect, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Json } from "../json/json";
import { inputId } from "./context";
import { FieldView, type FieldProps, useInput } from "./FieldView";
import { Legend } from "./Legend";
import { emptyOf, fieldOf, variantOf } from "./schema";
import classes from "./SchemaForm.module.css";

const PLAIN = ["string", "number", "integer", "boolean"] as const;

export function ChoiceField({ field, path }: FieldProps<"choice">) {
  const { t } = useTranslation();
  const { form, pointer, value, put, props } = useInput(field, path);
  const [chosen, setChosen] = useState(() => variantOf(field.variants, value));
  const kept = useRef(new Map<number, Json | undefined>());
  const choose = (next: number) => {
    kept.current.set(chosen, value);
    setChosen(next);
    put(kept.current.get(next) ?? emptyOf(field.variants[next]?.schema, form.root));
  };
  const variant = field.variants[chosen];
  /** A plain type that has no title of its own is said in words; a shape by its own. */
  const labelOf = ({ label, schema }: (typeof field.variants)[number]) => {
    if (schema.title !== undefined) return label;
    if (Array.isArray(schema.enum)) return schema.enum.filter((each) => typeof each === "string").join(" / ");
    const plain = PLAIN.find((type) => type === schema.type);
    return plain ? t(`form.type_${plain}`) : label;
  };
  const error = props.error;
  return (
    <fieldset id={inputId(form.id, pointer)} className={classes.group} data-error={error ? true : undefined}>
      <Legend field={field} />
      <NativeSelect
        aria-label={t("form.which", { name: field.label })}
        disabled={props.readOnly}
        value={String(chosen)}
        data={[
          ...(chosen < 0 ? [{ value: "-1", label: t("form.choose") }] : []),
          ...field.variants.map((each, at) => ({ value: String(at), label: labelOf(each) })),
        ]}
        onChange={(event) => choose(Number(event.currentTarget.value))}
        mb={variant ? "md" : 0}
      />
      {variant && <FieldView key={chosen} field={fieldOf(variant.schema, form.root, labelOf(variant), field.required)} path={path} top />}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
