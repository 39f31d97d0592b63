/** The form of one step's configuration: every change goes into the draft at once, and so onto the one stack of undo. */
import { Input, SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { FormProvider, type FormContext, type Place, type Suggest } from "../forms/context";
import { FieldView } from "../forms/FieldView";
import { fieldOf, type Schema } from "../forms/schema";
import { type FormAction, formReducer, type FormState } from "../forms/state";
import { isNumber } from "../json/exact";
import { formatNumber } from "../json/format";
import { copyText, isObject, type Json, same, stringify } from "../json/json";
import { stepsOf, valueAt } from "../json/pointer";

interface Props {
  id: string;
  schema: Schema;
  value: Json;
  readOnly: boolean;
  /** What the compiler says, by the dotted path below the configuration. */
  problems: ReadonlyMap<string, string>;
  suggestionsFor: (place: Place) => Suggest | undefined;
  render?: FormContext["render"];
  onChange: (value: Json, about: string) => void;
}

export function ConfigForm({ id, schema, value, readOnly, problems, suggestionsFor, render, onChange }: Props) {
  const [typed, setTyped] = useState<FormState["typed"]>({});
  const field = useMemo(() => fieldOf(schema, schema), [schema]);
  const context: FormContext = {
    id,
    root: schema,
    state: { value, typed },
    readOnly,
    suggestionsFor,
    ...(render && {
      render: (place, input) => {
        if (place.path[0] !== "payload" || place.field.schema["x-widget"] !== "expression") return render(place, input);
        // In the input of an action a text is a text, and an expression says that it is one.
        const put = (text: string) => context.dispatch({ kind: "set", path: place.path, value: text === "" ? undefined : { $expr: text } });
        return render(place, { ...input, value: expressionText(valueAt(value, place.path) as Json | undefined), onChange: put });
      },
    }),
    choose: (choice, { label, description, error, readOnly: fixed, value: now, onChange: put }) => {
      if (choice.schema["x-widget"] !== "segmented") return null;
      const at = choice.options.findIndex((option) => same(option.value, now ?? choice.schema.default));
      return (
        <Input.Wrapper label={label} description={description} error={error} labelElement="div">
          <SegmentedControl aria-label={typeof label === "string" ? label : undefined} disabled={fixed} data={choice.options.map((option, index) => ({ value: String(index), label: option.label }))} value={String(Math.max(0, at))} onChange={(chosen) => put(choice.options[Number(chosen)]?.value)} />
        </Input.Wrapper>
      );
    },
    dispatch: (action: FormAction) => {
      const next = formReducer({ value, typed }, action);
      if (next.typed !== typed) setTyped(next.typed);
      if (next.value !== value) onChange(next.value, "path" in action ? `${action.kind}:${action.path.join("/")}` : action.kind);
    },
    errorAt: (pointer) => problems.get(stepsOf(pointer).join(".")),
    visited: () => undefined,
    show: (each) => (isNumber(each) ? formatNumber(each) : each === null ? "—" : copyText(each)),
  };
  return (
    <FormProvider value={context}>
      <FieldView field={field} path={[]} top />
    </FormProvider>
  );
}

/** What stands there as an expression; a plain value is one too. */
function expressionText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return isObject(value) && typeof value.$expr === "string" ? value.$expr : stringify(value);
}
