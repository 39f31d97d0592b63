/** The data store as the console draws it: namespaces as a tree, the part of a value that is shown, what is left of a key's time. */
import { isObject, type Json, parse, stringify } from "../../json/json";

export interface NamespaceUse {
  namespace: string;
  key_count: number;
}

export interface Branch {
  /** The part of the name that this level adds, and the whole name up to here. */
  label: string;
  path: string;
  /** The namespace of just this name, where there is one. */
  own: NamespaceUse | null;
  /** All keys here and below. */
  keys: number;
  below: Branch[];
}

/** Namespaces cut at `/`, `.` and `:`. A level that would hold one thing only is drawn together with it. */
export function branches(uses: readonly NamespaceUse[]): Branch[] {
  const top: Branch = { label: "", path: "", own: null, keys: 0, below: [] };
  for (const use of uses) {
    let here = top;
    let path = "";
    for (const label of use.namespace.match(/[^/.:]*[/.:]?/g)?.filter((part) => part !== "") ?? []) {
      path += label;
      let next = here.below.find((each) => each.path === path);
      if (!next) {
        next = { label, path, own: null, keys: 0, below: [] };
        here.below.push(next);
      }
      next.keys += use.key_count;
      here = next;
    }
    here.own = use;
  }
  return top.below.map(joined);
}

function joined(branch: Branch): Branch {
  const [only, ...others] = branch.below;
  if (!branch.own && only && others.length === 0) return joined({ ...only, label: branch.label + only.label });
  return { ...branch, below: branch.below.map(joined) };
}

/** What a page draws without a pause; the whole is there on demand. */
export const SHOWN_CHARACTERS = 20_000;

export interface Shown {
  text: string;
  /** How many characters there are in all; more than the text has when it is only a part. */
  length: number;
}

/** The beginning of a long text, never half a character of two units. */
export function partOf(text: string, most = SHOWN_CHARACTERS): Shown {
  if (text.length <= most) return { text, length: text.length };
  const last = text.charCodeAt(most - 1);
  return { text: text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most), length: text.length };
}

export interface Rows {
  columns: string[];
  rows: string[][];
  /** How many rows there are in all. */
  length: number;
}

const MOST_ROWS = 200;
const MOST_COLUMNS = 24;

/** A list of objects as rows, an object as names and values; null for what is no table. */
export function tableOf(value: Json): Rows | null {
  if (isObject(value)) {
    const fields = Object.entries(value);
    return { columns: [], rows: fields.slice(0, MOST_ROWS).map(([name, each]) => [name, cell(each)]), length: fields.length };
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const shown = value.slice(0, MOST_ROWS);
  if (!shown.every(isObject)) return { columns: [], rows: shown.map((each, at) => [String(at), cell(each)]), length: value.length };
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, MOST_COLUMNS);
  return { columns, rows: shown.map((row) => columns.map((name) => (Object.hasOwn(row, name) ? cell(row[name]) : ""))), length: value.length };
}

function cell(value: Json | undefined): string {
  const { text, length } = partOf(typeof value === "string" ? value : stringify(value ?? null), 200);
  return text.length < length ? `${text}…` : text;
}

/** What is left of a key's time: "2 d 3 h", "4 min 5 s"; null when it is over. */
export function timeLeft(until: string, now: number): { unit: "days" | "hours" | "minutes" | "seconds"; large: number; small: number } | null {
  const seconds = Math.ceil((Date.parse(until) - now) / 1000);
  if (seconds <= 0) return null;
  if (seconds >= 86_400) return { unit: "days", large: Math.floor(seconds / 86_400), small: Math.floor((seconds % 86_400) / 3_600) };
  if (seconds >= 3_600) return { unit: "hours", large: Math.floor(seconds / 3_600), small: Math.floor((seconds % 3_600) / 60) };
  if (seconds >= 60) return { unit: "minutes", large: Math.floor(seconds / 60), small: seconds % 60 };
  return { unit: "seconds", large: seconds, small: 0 };
}

/** Reads what somebody typed as a value; undefined when it is no JSON. */
export function valueOf(text: string): Json | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Rows of a list of fixed height that are near what is looked at. */
export function windowOf(count: number, height: number, top: number, visible: number, spare = 10): { from: number; upto: number } {
  const from = Math.max(0, Math.floor(top / height) - spare);
  return { from, upto: Math.min(count, Math.ceil((top + visible) / height) + spare) };
}
