/**
 * A draft in hand: its history of changes, and saving it by itself. What was typed is kept in this browser until the server has
 * it, so that neither a closed tab nor somebody else's change loses any of it. Whoever was overtaken is told, and chooses.
 */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { useSaveDraft } from "../api/definitions";
import { asProblem, type Problem } from "../api/problem";
import type { Definition } from "../api/types";
import { isObject, type Json, parse, same, stringify } from "../json/json";
import { useSignedIn } from "../session/SignedIn";
import { changed, type History, redone, started, undone } from "./model/history";
import { type Patches, readPatches, writePatches } from "./model/patch";

export type Saving = "saved" | "waiting" | "saving" | "overtaken" | "failed";

export interface Draft {
  readonly patches: Patches;
  readonly saving: Saving;
  readonly problem: Problem | null;
  readonly revision: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  change: (next: Patches, about?: string | null) => void;
  undo: () => void;
  redo: () => void;
  /** Saves at once, before something that needs it saved; gives the revision, or null when it could not. */
  settle: () => Promise<number | null>;
  /** After being overtaken: mine over theirs, or theirs instead of mine. */
  takeOver: (theirs: Definition) => void;
  giveWay: (theirs: Definition) => void;
  /** What the server has now: it is shown, unless there is something of mine that it has not. */
  follow: (theirs: Definition, reading?: boolean) => void;
}

type Action = { kind: "change"; next: Patches; about: string | null } | { kind: "undo" } | { kind: "redo" } | { kind: "start"; patches: Patches };

function reduce(history: History, action: Action): History {
  switch (action.kind) {
    case "change":
      return changed(history, action.next, action.about);
    case "undo":
      return undone(history);
    case "redo":
      return redone(history);
    case "start":
      return started(action.patches);
  }
}

const PAUSE = 700;

/** `client` is which of one's windows writes; while `paused`, somebody else does, and nothing is saved. */
export function useDraft(definition: Definition, client: string, paused: boolean, onInUse: () => void): Draft {
  const { tenant } = useSignedIn();
  const save = useSaveDraft();
  const kept = `holdfast.draft.${tenant}.${definition.id}`;
  const [first] = useState(() => beginning(definition, kept));
  const [history, dispatch] = useReducer(reduce, first.patches, started);
  const [saving, setSaving] = useState<Saving>(first.state);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [revision, setRevision] = useState(first.revision);
  const stored = useRef(first.stored);
  const [settled, setSettled] = useState(first.stored);
  const busy = useRef<Promise<number | null> | null>(null);
  const text = useMemo(() => stringify(writePatches(history.present)), [history.present]);
  const latest = useRef({ text, revision, name: definition.name, note: definition.note });
  useEffect(() => {
    latest.current = { text, revision, name: definition.name, note: definition.note };
  });

  const write = useCallback(async (): Promise<number | null> => {
    const { text: wanted, revision: seen, name, note } = latest.current;
    if (wanted === stored.current) return seen;
    setSaving("saving");
    try {
      const saved = await save({ id: definition.id, revision: seen, patches: parse(wanted) as never, name, note, client });
      stored.current = wanted;
      setSettled(wanted);
      latest.current = { ...latest.current, revision: saved.revision };
      setRevision(saved.revision);
      setProblem(null);
      if (latest.current.text === wanted) {
        forget(kept);
        setSaving("saved");
      } else setSaving("waiting");
      return saved.revision;
    } catch (error) {
      const met = asProblem(error);
      setProblem(met);
      // Another window has taken the draft over: nothing was overwritten, and what is here stays until this one may write again.
      if (met.code === "draft_in_use") onInUse();
      setSaving(met.code === "draft_in_use" ? "waiting" : met.status === 409 ? "overtaken" : "failed");
      return null;
    }
  }, [definition.id, kept, save, client, onInUse]);

  const settle = useCallback(async (): Promise<number | null> => {
    // One request at a time: the second would name a revision that the first is about to end.
    while (busy.current) await busy.current;
    busy.current = write().finally(() => (busy.current = null));
    return busy.current;
  }, [write]);

  useEffect(() => {
    if (text === stored.current || saving === "overtaken") return;
    keep(kept, revision, text);
    if (paused) return;
    const timer = setTimeout(() => void settle(), saving === "failed" ? 5 * PAUSE : PAUSE);
    return () => clearTimeout(timer);
  }, [text, saving, kept, revision, settle, paused]);

  const restart = (theirs: Definition, mine: boolean) => {
    stored.current = stringify(writePatches(readPatches(theirs.patches as Json)));
    setSettled(stored.current);
    latest.current = { ...latest.current, revision: theirs.revision };
    setRevision(theirs.revision);
    setProblem(null);
    if (!mine) {
      forget(kept);
      dispatch({ kind: "start", patches: readPatches(theirs.patches as Json) });
    }
    setSaving(mine ? "waiting" : "saved");
  };
  return {
    patches: history.present,
    saving: saving === "saved" && text !== settled ? "waiting" : saving,
    problem,
    revision,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (next, about = null) => dispatch({ kind: "change", next, about }),
    undo: () => dispatch({ kind: "undo" }),
    redo: () => dispatch({ kind: "redo" }),
    settle,
    takeOver: (theirs) => restart(theirs, true),
    giveWay: (theirs) => restart(theirs, false),
    follow: (theirs, reading = false) => {
      if (text === stored.current) {
        if (theirs.revision !== revision) restart(theirs, false);
      } else if (reading) return;
      else if (theirs.revision === revision) restart(theirs, true);
      else setSaving("overtaken");
    },
  };
}

interface Beginning {
  patches: Patches;
  stored: string;
  revision: number;
  state: Saving;
}

/** What the server has, or what this browser kept of it when it could not be saved. */
function beginning(definition: Definition, key: string): Beginning {
  const patches = readPatches(definition.patches as Json);
  const stored = stringify(writePatches(patches));
  const left = read(key);
  if (!left || left.text === stored) return { patches, stored, revision: definition.revision, state: "saved" };
  const mine = readPatches(parse(left.text));
  const overtaken = left.revision !== definition.revision && !same(mine, patches);
  return { patches: mine, stored, revision: overtaken ? left.revision : definition.revision, state: overtaken ? "overtaken" : "waiting" };
}

function keep(key: string, revision: number, text: string): void {
  try {
    localStorage.setItem(key, stringify({ revision, text }));
  } catch {
    // Storage is full or switched off: the server has it in a moment.
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

function read(key: string): { revision: number; text: string } | null {
  try {
    const given = parse(localStorage.getItem(key) ?? "null");
    return isObject(given) && typeof given.revision === "number" && typeof given.text === "string" ? { revision: given.revision, text: given.text } : null;
  } catch {
    return null;
  }
}
