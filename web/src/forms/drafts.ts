/**
 * What somebody typed and did not save, kept in this browser until they do: it survives reload, an expired sign-in and a
 * crashed tab. A draft remembers what it was begun from; over another beginning it is offered, never put in unasked.
 */
import { isObject, parse, same, stringify, type Json } from "../json/json";
import type { FormState } from "./state";

const PREFIX = "holdfast.draft.";
/** Older drafts are about documents that have long moved on. */
const KEPT_DAYS = 30;

export interface Draft {
  state: FormState;
  /** What the form began with when the draft was made. */
  from: Json;
  at: string;
}

type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export function readDraft(key: string, shelf: Shelf | null = browserShelf()): Draft | null {
  try {
    const text = shelf?.getItem(PREFIX + key);
    const found = text ? parse(text) : null;
    if (!isObject(found) || found.value === undefined || typeof found.at !== "string") return null;
    const typed = isObject(found.typed) ? found.typed : {};
    const texts = Object.entries(typed).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return { state: { value: found.value, typed: Object.fromEntries(texts) }, from: found.from ?? null, at: found.at };
  } catch {
    return null;
  }
}

/** Keeps the draft, or drops it when nothing differs from the beginning. */
export function keepDraft(key: string, state: FormState, from: Json, now: Date, shelf: Shelf | null = browserShelf()): void {
  try {
    if (Object.keys(state.typed).length === 0 && same(state.value, from)) shelf?.removeItem(PREFIX + key);
    else shelf?.setItem(PREFIX + key, stringify({ ...state, from, at: now.toISOString() }));
  } catch {
    // Storage is full or switched off: the draft then lives as long as the page.
  }
}

export function dropDraft(key: string, shelf: Shelf | null = browserShelf()): void {
  try {
    shelf?.removeItem(PREFIX + key);
  } catch {
    // As above.
  }
}

/** Drops the drafts nobody came back to. */
export function sweepDrafts(now: Date, shelf: Shelf | null = browserShelf()): void {
  if (!shelf) return;
  const keys = Array.from({ length: shelf.length }, (_, at) => shelf.key(at)).filter((key) => key?.startsWith(PREFIX));
  for (const key of keys) {
    if (key === null) continue;
    const at = readDraft(key.slice(PREFIX.length), shelf)?.at;
    if (!at || now.getTime() - new Date(at).getTime() > KEPT_DAYS * 86_400_000) shelf.removeItem(key);
  }
}

function browserShelf(): Shelf | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
