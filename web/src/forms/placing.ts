/**
 * Where a server's problem belongs in a form. The server names a field by its dotted path (`lines.0.price`), perhaps below
 * the body's own member (`data.lines.0.price`) and perhaps with parts the form does not have; the problem lands on the nearest place that
 * is there. What names no field at all stays a problem of the whole form.
 */
import type { Problem } from "../api/problem";
import { isObject } from "../json/json";
import { pointerOf } from "../json/pointer";
import { fieldOf, resolved, type Schema } from "./schema";

export interface Placed {
  /** By pointer, the server's words. */
  fields: Readonly<Record<string, string>>;
  /** True when something is said that no field shows. */
  rest: boolean;
}

/** `under` is the member of the request's body that holds the form's value. */
export function placed(problem: Problem, schema: Schema, under?: string): Placed {
  const fields: Record<string, string> = {};
  let rest = problem.fields.length === 0;
  for (const { field, message } of problem.fields) {
    const pointer = pointerFor(field, schema, under);
    if (pointer === null || pointer === "") rest = true;
    else fields[pointer] ??= message;
  }
  return { fields, rest };
}

/** The deepest place of the form on a dotted path or a JSON pointer; null when even its first step is not there. */
export function pointerFor(field: string, schema: Schema, under?: string): string | null {
  const steps = field.startsWith("/") ? field.slice(1).split("/") : field.split(".");
  const inside = under !== undefined && steps[0] === under && !hasMember(schema, under) ? steps.slice(1) : steps;
  const path: (string | number)[] = [];
  let here: Schema = resolved(schema, schema);
  for (let at = 0; at < inside.length; at++) {
    const shape = fieldOf(here, schema);
    if (shape.kind === "object") {
      // A name may itself hold dots: the longest one that is known is meant.
      const name = longest(inside.slice(at), (each) => shape.fields.some((member) => member.name === each));
      if (name === null) break;
      path.push(name.name);
      at += name.parts - 1;
      here = shape.fields.find((member) => member.name === name.name)?.field.schema ?? {};
    } else if (shape.kind === "array" && /^\d+$/.test(inside[at] ?? "")) {
      path.push(Number(inside[at]));
      here = resolved(shape.item, schema);
    } else break;
  }
  if (path.length === 0) return inside.length === 0 || inside[0] === "" ? "" : null;
  return pointerOf(path);
}

function longest(steps: readonly string[], known: (name: string) => boolean): { name: string; parts: number } | null {
  for (let parts = steps.length; parts > 0; parts--) {
    const name = steps.slice(0, parts).join(".");
    if (known(name)) return { name, parts };
  }
  return null;
}

function hasMember(schema: Schema, name: string): boolean {
  return isObject(schema.properties) && name in schema.properties;
}
