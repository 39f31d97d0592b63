/** The way out for shapes the form does not know: the value as JSON, every digit as it is written. */
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { parse, stringify } from "../json/json";
import { type FieldProps, useInput } from "./FieldView";
import classes from "./SchemaForm.module.css";

export function JsonField({ field, path }: FieldProps<"json">) {
  const { t } = useTranslation();
  const { form, pointer, value, put, props } = useInput(field, path);
  const [own, setOwn] = useState<string | null>(null);
  const shown = form.state.typed[pointer] ?? own ?? (value === undefined ? "" : stringify(value, 2));
  const change = (text: string) => {
    setOwn(text);
    try {
      put(text.trim() === "" ? undefined : parse(text));
    } catch {
      form.dispatch({ kind: "type", path, text });
    }
  };
  return (
    <Textarea
      {...props}
      className={classes.mono}
      description={[field.help, t("form.as_json")].filter(Boolean).join(" ")}
      value={shown}
      autosize
      minRows={3}
      maxRows={18}
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => {
        setOwn(null);
        props.onBlur();
      }}
    />
  );
}
