/**
 * Whether a value is what its schema asks for, to the last digit, and if not, where: by place, as a code with parameters that
 * the interface puts into words. The validator needs no `eval`, which the server's content policy forbids.
 */
import { Validator } from "@cfworker/json-schema";
import { isNumber, textOf } from "../json/exact";
import { isObject, type Json } from "../json/json";
import { pointerOf, stepsOf, valueAt } from "../json/pointer";
import type { Schema } from "./schema";
import { standIns } from "./standIns";

/** The keywords that have words of their own; any other is `unfit`. */
export const PROBLEM_CODES = [
  ...["required", "type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum"],
  ...["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"],
  ...["additionalProperties", "oneOf", "not_read", "unfit"],
] as const;

export interface FieldFault {
  pointer: string;
  code: string;
  /** What the schema asked for: a limit, a format. */
  limit?: string;
}

/** Words that only pass on what another one found further in. */
const FORWARDING = new Set([
  ...["properties", "patternProperties", "items", "prefixItems", "additionalItems", "allOf", "$ref", "$recursiveRef"],
  ...["$dynamicRef", "dependentSchemas", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties"],
]);

export function validate(schema: Schema, value: Json): FieldFault[] {
  const plain = standIns(schema, value);
  let found;
  try {
    found = new Validator(plain.schema as object, "2020-12", false).validate(plain.value).errors;
  } catch {
    // A reference into nowhere, a pattern no browser reads: the server knows better, and it checks everything again.
    return [];
  }
  const alternatives = found.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf" || keyword === "not");
  const faults: FieldFault[] = [];
  const add = (fault: FieldFault) => {
    if (!faults.some((known) => known.pointer === fault.pointer && known.code === fault.code)) faults.push(fault);
  };
  for (const { keyword, keywordLocation, instanceLocation } of found) {
    // Why each alternative does not fit says little; that none does, is said once.
    if (alternatives.some((each) => keywordLocation.startsWith(`${each.keywordLocation}/`))) continue;
    if (FORWARDING.has(keyword) || keyword === "false") continue;
    const path = stepsOf(instanceLocation);
    const asked = askedBy(schema, keywordLocation);
    if (keyword === "required" && Array.isArray(asked)) {
      const here = valueAt(value, path);
      const missing = asked.filter((name) => !isObject(here) || !Object.hasOwn(here, String(name)));
      for (const name of missing) add({ pointer: pointerOf([...path, String(name)]), code: "required" });
      continue;
    }
    add({ pointer: pointerOf(path), code: coded(keyword), ...limitOf(asked) });
  }
  return faults;
}

function coded(keyword: string): string {
  if (keyword === "anyOf") return "oneOf";
  return (PROBLEM_CODES as readonly string[]).includes(keyword) ? keyword : "unfit";
}

/** What the keyword says, in the schema's own digits. */
function askedBy(schema: Schema, location: string): unknown {
  let here: unknown = schema;
  for (const step of stepsOf(location)) {
    here = valueAt(here, [step]);
    if (step === "$ref" && typeof here === "string") here = valueAt(schema, stepsOf(here));
  }
  return here;
}

function limitOf(asked: unknown): { limit?: string } {
  if (isNumber(asked)) return { limit: textOf(asked) };
  return typeof asked === "string" ? { limit: asked } : {};
}
