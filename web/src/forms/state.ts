/**
 * What a form holds: the value, and what was typed that is no value yet ("12," on the way to "12,5"). Pure, so that drafts,
 * undo and tests need no screen. What nobody touched is the very object that came from the server, digit for digit.
 */
import type { Json } from "../json/json";
import { type Path, pointerOf, valueAt, withValue } from "../json/pointer";

export interface FormState {
  value: Json;
  /** By pointer: texts that could not be read as what their field holds. */
  typed: Readonly<Record<string, string>>;
}

export type FormAction =
  | { kind: "set"; path: Path; value: Json | undefined }
  | { kind: "type"; path: Path; text: string }
  | { kind: "add"; path: Path; value: Json }
  | { kind: "remove"; path: Path; at: number }
  | { kind: "move"; path: Path; from: number; to: number }
  | { kind: "reset"; state: FormState };

export function beginning(value: Json): FormState {
  return { value, typed: {} };
}

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.kind) {
    case "set":
      return { value: withValue(state.value, action.path, action.value) ?? null, typed: forgotten(state.typed, action.path) };
    case "type":
      return { ...state, typed: { ...state.typed, [pointerOf(action.path)]: action.text } };
    case "add":
      return { ...state, value: withValue(state.value, action.path, [...itemsAt(state, action.path), action.value]) ?? null };
    case "remove":
      return rearranged(state, action.path, (at) => (at === action.at ? null : at > action.at ? at - 1 : at));
    case "move":
      return rearranged(state, action.path, (at) => moved(at, action.from, action.to));
    case "reset":
      return action.state;
  }
}

export function itemsAt(state: FormState, path: Path): Json[] {
  const items = valueAt(state.value, path);
  return Array.isArray(items) ? (items as Json[]) : [];
}

function moved(at: number, from: number, to: number): number {
  if (at === from) return to;
  if (from < at && at <= to) return at - 1;
  return to <= at && at < from ? at + 1 : at;
}

/** Every item to its new place, and what was typed in it along with it. */
function rearranged(state: FormState, path: Path, place: (at: number) => number | null): FormState {
  const items: Json[] = [];
  itemsAt(state, path).forEach((item, at) => {
    const to = place(at);
    if (to !== null) items[to] = item;
  });
  const prefix = `${pointerOf(path)}/`;
  const typed = Object.entries(state.typed).flatMap(([pointer, text]) => {
    if (!pointer.startsWith(prefix)) return [[pointer, text] as const];
    const [step = "", ...rest] = pointer.slice(prefix.length).split("/");
    const to = place(Number(step));
    return to === null ? [] : [[[`${prefix}${to}`, ...rest].join("/"), text] as const];
  });
  return { value: withValue(state.value, path, items) ?? null, typed: Object.fromEntries(typed) };
}

function forgotten(typed: FormState["typed"], path: Path): FormState["typed"] {
  const here = pointerOf(path);
  return Object.fromEntries(Object.entries(typed).filter(([pointer]) => pointer !== here && !pointer.startsWith(`${here}/`)));
}
