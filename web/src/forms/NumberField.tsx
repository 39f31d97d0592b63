/**
 * A number or an amount of money. What is typed stays as it is typed; the value behind it has exactly its digits. While it is
 * written, what was understood is shown beside it, so that nobody saves twelve thousand for twelve.
 */
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { isNumber, isNumberText, type JsonNumber, numberOf, textOf } from "../json/exact";
import { formatMoney, formatNumber, inputText, readNumber } from "../json/format";
import type { Json } from "../json/json";
import { valueAt } from "../json/pointer";
import { type FieldProps, useInput } from "./FieldView";
import classes from "./SchemaForm.module.css";

export function NumberField({ field, path }: FieldProps<"number" | "money">) {
  const { form, pointer, value, put, props } = useInput(field, path);
  const number = numberIn(value);
  // While somebody is in the field their own text stays: "12." must not become "12" under the cursor.
  const [own, setOwn] = useState<string | null>(null);
  const shown = form.state.typed[pointer] ?? own ?? (number === null ? plainText(value) : inputText(number));
  const currency = field.kind === "money" ? (field.currency ?? currencyBeside(form.state.value, path, field.currencyField)) : undefined;
  const read = number === null ? "" : field.kind === "money" ? formatMoney(number, currency) : formatNumber(number);
  const change = (typed: string) => {
    setOwn(typed);
    const entered = readNumber(typed);
    if (typed.trim() === "") put(undefined);
    else if (entered === null) form.dispatch({ kind: "type", path, text: typed });
    else put(field.asText ? textOf(entered) : entered);
  };
  const telling = read !== "" && read !== shown && form.state.typed[pointer] === undefined;
  const beside = telling ? read : currency;
  return (
    <TextInput
      {...props}
      value={shown}
      inputMode={field.whole ? "numeric" : "decimal"}
      autoComplete="off"
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => {
        setOwn(null);
        props.onBlur();
      }}
      rightSection={beside && <span className={classes.read}>{beside}</span>}
      // As wide as what is in it, and no wider than half: what is typed must stay readable.
      rightSectionWidth={`min(${(beside?.length ?? 0) + 2}ch, 50%)`}
      rightSectionPointerEvents="none"
    />
  );
}

function numberIn(value: Json | undefined): JsonNumber | null {
  if (isNumber(value)) return value;
  return typeof value === "string" && isNumberText(value) ? numberOf(value) : null;
}

function plainText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The currency that stands beside an amount: `x-currency-field` names it, in the same object. */
function currencyBeside(whole: Json, path: readonly (string | number)[], name: string | undefined): string | undefined {
  if (!name) return undefined;
  const value = valueAt(whole, [...path.slice(0, -1), name]);
  return typeof value === "string" ? value : undefined;
}
