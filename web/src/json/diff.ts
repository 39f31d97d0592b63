/** What differs between two values, field by field, nested ones too. Numbers differ by value: 10.0 and 10.00 are the same. */
import { isObject, type Json, same } from "./json";
import { type Path, pointerOf } from "./pointer";

export interface Change {
  path: Path;
  pointer: string;
  kind: "added" | "removed" | "changed";
  before: Json | undefined;
  after: Json | undefined;
}

export function changes(before: Json | undefined, after: Json | undefined, path: Path = []): Change[] {
  if (same(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    // In the order the reader knows: as it was, then what is new.
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changes(own(before, name), own(after, name), [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => changes(before[at], after[at], [...path, at])).flat();
  }
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ path, pointer: pointerOf(path), kind, before, after }];
}

function own(fields: Record<string, Json>, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
