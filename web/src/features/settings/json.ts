/**
 * Checks the text of a settings editor before anything is sent: strict JSON, an object, small enough, and nothing in it that
 * reading would silently change (a key given twice, a whole number larger than a browser counts exactly).
 */
import { parse, type ParseError, visit } from "jsonc-parser";

export type Settings = Record<string, unknown>;

export interface Fault {
  kind: "not_json" | "not_object" | "too_large" | "duplicate_key" | "inexact_number";
  line: number;
  column: number;
  subject?: string;
}

export type Checked = { ok: true; value: Settings } | { ok: false; fault: Fault };

const LIMIT = 64 * 1024;
const WHOLE_NUMBER = /^-?\d+$/;

export function checkSettings(text: string): Checked {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const first = errors[0];
  if (first) return refused("not_json", text, first.offset);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refused("not_object", text, 0);
  const lossy = firstLoss(text);
  if (lossy) return lossy;
  if (new TextEncoder().encode(JSON.stringify(value)).length > LIMIT) return refused("too_large", text, 0);
  return { ok: true, value: value as Settings };
}

export function settingsText(settings: Settings): string {
  return JSON.stringify(settings, null, 2);
}

/** Whether two texts hold the same settings, whatever their spacing. */
export function sameSettings(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function firstLoss(text: string): Checked | null {
  let found: Checked | null = null;
  const seen: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty(key, offset) {
      if (seen.at(-1)?.has(key)) found ??= refused("duplicate_key", text, offset, key);
      seen.at(-1)?.add(key);
    },
    onLiteralValue(value: unknown, offset, length) {
      const written = text.slice(offset, offset + length);
      if (typeof value === "number" && WHOLE_NUMBER.test(written) && !Number.isSafeInteger(value)) {
        found ??= refused("inexact_number", text, offset, written);
      }
    },
  });
  return found;
}

function refused(kind: Fault["kind"], text: string, offset: number, subject?: string): Checked {
  const before = text.slice(0, offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { ok: false, fault: { kind, line: before.length, column, ...(subject !== undefined && { subject }) } };
}
