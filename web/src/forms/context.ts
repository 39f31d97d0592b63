/** What every field of a form needs from it. */
import { createContext, type ReactNode, useContext } from "react";
import type { Json } from "../json/json";
import type { Path } from "../json/pointer";
import type { Field, Schema } from "./schema";
import type { FormAction, FormState } from "./state";

/** Finds suggestions for what was typed so far. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface Place {
  path: Path;
  pointer: string;
  field: Field;
}

/** What a field that is drawn by somebody else needs to stand in a form like the others. */
export interface TextInputProps {
  id: string;
  label: string;
  description: string | undefined;
  required: boolean;
  readOnly: boolean;
  error: string | undefined;
  value: string;
  onChange: (text: string) => void;
  onBlur: () => void;
}

export interface ChoiceProps {
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  readOnly: boolean;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

export interface FormContext {
  /** Sets the ids of this form's inputs apart from those of another. */
  id: string;
  root: Schema;
  state: FormState;
  readOnly: boolean;
  dispatch: (action: FormAction) => void;
  /** What is to be said about a place now, if anything. */
  errorAt: (pointer: string) => string | undefined;
  /** Called when a field was left: from then on it says what is wrong. */
  visited: (pointer: string) => void;
  suggestionsFor: (place: Place) => Suggest | undefined;
  /** Draws a text in a way of its own, such as an expression; null for what is drawn as always. */
  render?: (place: Place, input: TextInputProps) => ReactNode | null;
  /** Draws a choice of few in a way of its own; null for what is drawn as always. */
  choose?: (field: Field & { kind: "enum" }, input: ChoiceProps) => ReactNode | null;
  /** A value as people read it, for fields that cannot be edited. */
  show: (value: Json) => string;
}

const Context = createContext<FormContext | null>(null);

export const FormProvider = Context.Provider;

export function useFormContext(): FormContext {
  const value = useContext(Context);
  if (!value) throw new Error("a field is used outside of a form");
  return value;
}

/** The id of the input of a place; a link or a program can move the focus there. */
export function inputId(form: string, pointer: string): string {
  return `${form}${pointer.replaceAll("/", "-")}`;
}
