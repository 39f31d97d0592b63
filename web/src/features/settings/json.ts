/**
 * Checks the text of a settings editor before anything is sent: strict JSON, an object, small enough, and nothing in it that
 * reading would silently change (a key given twice). Numbers keep every digit they are written with.
 */
import { parse as findErrors, type ParseError, visit } from "jsonc-parser";
import { isObject, parse, same, stringify } from "../../json/json";

export type Settings = Record<string, unknown>;

export interface Fault {
  kind: "not_json" | "not_object" | "too_large" | "duplicate_key";
  line: number;
  column: number;
  subject?: string;
}

export type Checked = { ok: true; value: Settings } | { ok: false; fault: Fault };

const LIMIT = 64 * 1024;

export function checkSettings(text: string): Checked {
  const errors: ParseError[] = [];
  findErrors(text, errors, { disallowComments: true });
  const first = errors[0];
  if (first) return refused("not_json", text, first.offset);
  const twice = repeatedKey(text);
  if (twice) return twice;
  const value = parse(text);
  if (!isObject(value)) return refused("not_object", text, 0);
  if (new TextEncoder().encode(stringify(value)).length > LIMIT) return refused("too_large", text, 0);
  return { ok: true, value };
}

export function settingsText(settings: Settings): string {
  return stringify(settings, 2);
}

/** Whether two texts hold the same settings, whatever their spacing. */
export function sameSettings(one: Settings, other: Settings): boolean {
  return same(one, other);
}

function repeatedKey(text: string): Checked | null {
  let found: Checked | null = null;
  const seen: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty(key, offset) {
      if (seen.at(-1)?.has(key)) found ??= refused("duplicate_key", text, offset, key);
      seen.at(-1)?.add(key);
    },
  });
  return found;
}

function refused(kind: Fault["kind"], text: string, offset: number, subject?: string): Checked {
  const before = text.slice(0, offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { ok: false, fault: { kind, line: before.length, column, ...(subject !== undefined && { subject }) } };
}
