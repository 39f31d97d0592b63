/** JSON Pointers (RFC 6901): the one way in which the console names a place in a value. The root is the empty text. */
import { isObject, type Json, type JsonObject } from "./json";

export type Path = readonly (string | number)[];

export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function stepsOf(pointer: string): string[] {
  if (pointer === "" || pointer === "#") return [];
  return pointer.replace(/^#/, "").split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function valueAt(value: unknown, path: Path): unknown {
  let here: unknown = value;
  for (const step of path) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isObject(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

/** The value with another one at a place; what is on the way there is made, everything beside it is kept as it is. */
export function withValue(value: Json | undefined, path: Path, put: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  if (typeof step === "number") {
    const items = Array.isArray(value) ? [...value] : [];
    const item = withValue(items[step], rest, put);
    if (item === undefined) items.splice(step, 1);
    else items[step] = item;
    return items;
  }
  const fields: JsonObject = isObject(value) ? value : {};
  const inner = withValue(fields[step], rest, put);
  if (inner !== undefined) return { ...fields, [step]: inner };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
}
