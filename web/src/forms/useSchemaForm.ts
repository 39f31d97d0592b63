/**
 * A form's life: it begins with a value (or the draft left behind), checks itself against its schema, sends, and lets the
 * server's refusal land on the fields it names. Nothing typed is lost on the way.
 */
import { useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { asProblem } from "../api/problem";
import { type Json, same, stringify } from "../json/json";
import { stepsOf, valueAt } from "../json/pointer";
import { dropDraft, keepDraft, readDraft, sweepDrafts } from "./drafts";
import { placed } from "./placing";
import type { Schema } from "./schema";
import { beginning, type FormAction, formReducer, type FormState } from "./state";
import { type FieldFault, validate } from "./validate";

export interface SchemaFormOptions {
  schema: Schema;
  /** What the form begins with, as it came from the server. */
  initial: Json;
  /** Where its draft is kept; best with tenant, person and object in it. Without one, nothing is kept. */
  draftKey?: string | undefined;
  /** The member of the request's body that holds the value, as the server's problems name it. */
  under?: string;
  /** Sends the value. What it throws is shown where it belongs. */
  onSubmit: (value: Json) => Promise<unknown>;
}

/** `yes`: a draft was found and put in. `stale`: it was begun from something older, and waits. `overtaken`: what the form was
 * begun from was changed by somebody else meanwhile; what was typed is still there. */
export type Restored = "no" | "yes" | "stale" | "overtaken";

export interface SchemaFormHandle {
  state: FormState;
  dispatch: (action: FormAction) => void;
  faults: readonly FieldFault[];
  /** The server's words, by pointer, about what was sent last. */
  refused: Readonly<Record<string, string>>;
  /** What went wrong that no field shows. */
  failure: unknown;
  busy: boolean;
  dirty: boolean;
  restored: Restored;
  submitted: boolean;
  visited: ReadonlySet<string>;
  visit: (pointer: string) => void;
  submit: () => Promise<FieldFault[]>;
  /** Back to what the server has; the draft is dropped. */
  discard: () => void;
  /** Puts a stale draft in after all. */
  takeDraft: () => void;
}

export function useSchemaForm({ schema, initial, draftKey, under, onSubmit }: SchemaFormOptions): SchemaFormHandle {
  const [draft, setDraft] = useState(() => (draftKey ? readDraft(draftKey) : null));
  const stale = draft !== null && !same(draft.from, initial);
  const [state, dispatch] = useReducer(formReducer, null, () => (draft && !stale ? draft.state : beginning(initial)));
  const [restored, setRestored] = useState<Restored>(draft ? (stale ? "stale" : "yes") : "no");
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const [submitted, setSubmitted] = useState(false);
  const [answer, setAnswer] = useState<{ value: Json; refused: Record<string, string>; failure: unknown }>();
  const [busy, setBusy] = useState(false);

  const faults = useMemo(() => [...unread(state), ...validate(schema, state.value)], [schema, state]);
  const [base, setBase] = useState(initial);
  const [seen, setSeen] = useState(initial);
  const dirty = Object.keys(state.typed).length > 0 || !same(state.value, base);
  if (!same(seen, initial)) {
    // The server has something newer. Who typed nothing sees it at once; whoever did keeps what they typed, and is told.
    setSeen(initial);
    if (dirty) setRestored("overtaken");
    else {
      setBase(initial);
      dispatch({ kind: "reset", state: beginning(initial) });
    }
  }

  // At once and not a moment later: a tab may be closed after any key. A stale draft stays on its shelf until somebody decides.
  const held = restored === "stale";
  useEffect(() => {
    if (draftKey && !held) keepDraft(draftKey, state, base, new Date());
  }, [draftKey, state, base, held]);
  useEffect(() => sweepDrafts(new Date()), []);

  const visit = useCallback((pointer: string) => setVisited((known) => (known.has(pointer) ? known : new Set([...known, pointer]))), []);

  const submit = useCallback(async (): Promise<FieldFault[]> => {
    setSubmitted(true);
    if (faults.length > 0) return [...faults];
    setBusy(true);
    setAnswer(undefined);
    try {
      await onSubmit(state.value);
      if (draftKey) dropDraft(draftKey);
      setBase(state.value);
      setSubmitted(false);
      setVisited(new Set());
      setRestored("no");
      return [];
    } catch (error) {
      const { fields, rest } = placed(asProblem(error), schema, under);
      setAnswer({ value: state.value, refused: { ...fields }, failure: rest ? error : undefined });
      return Object.keys(fields).map((pointer) => ({ pointer, code: "refused" }));
    } finally {
      setBusy(false);
    }
  }, [draftKey, faults, onSubmit, schema, state.value, under]);

  const discard = useCallback(() => {
    if (draftKey) dropDraft(draftKey);
    dispatch({ kind: "reset", state: beginning(initial) });
    setBase(initial);
    setDraft(null);
    setRestored("no");
    setSubmitted(false);
    setVisited(new Set());
    setAnswer(undefined);
  }, [draftKey, initial]);

  const takeDraft = useCallback(() => {
    if (draft) dispatch({ kind: "reset", state: draft.state });
    setRestored("yes");
  }, [draft]);

  const refused = useMemo(() => answered(answer?.refused ?? {}, answer?.value, state.value), [answer, state.value]);
  return {
    ...{ state, dispatch, faults, refused, busy, dirty, restored, submitted, visited, visit, submit, discard, takeDraft },
    failure: answer?.failure,
  };
}

/** What was typed and is no value: a number that is none, JSON that is none. */
function unread(state: FormState): FieldFault[] {
  return Object.keys(state.typed).map((pointer) => ({ pointer, code: "not_read" }));
}

/** A refusal is about what was sent: where that was changed since, it is silent. */
function answered(refused: Record<string, string>, sent: Json | undefined, now: Json): Record<string, string> {
  if (sent === undefined || stringify(sent) === stringify(now)) return refused;
  return Object.fromEntries(Object.entries(refused).filter(([pointer]) => same(at(sent, pointer), at(now, pointer))));
}

function at(value: Json, pointer: string): unknown {
  return valueAt(value, stepsOf(pointer));
}
