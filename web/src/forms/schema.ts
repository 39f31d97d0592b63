/**
 * What a form shows for a JSON Schema: each place becomes a field of a known kind. A shape this module does not know becomes
 * `json`, which is edited as text, so that nothing the server accepts is out of reach.
 */
import { isNumber, textOf } from "../json/exact";
import { isObject, type Json, type JsonObject, same } from "../json/json";
import { stepsOf, valueAt } from "../json/pointer";

export type Schema = JsonObject;

export interface Option {
  value: Json;
  label: string;
}

interface Common {
  label: string;
  help: string | undefined;
  required: boolean;
  nullable: boolean;
  readOnly: boolean;
  /** The schema itself, references followed and `null` taken out. */
  schema: Schema;
}

export interface NamedField {
  name: string;
  field: Field;
}

export interface Variant {
  label: string;
  schema: Schema;
}

export type Field = Common &
  (
    | { kind: "text" }
    | { kind: "multiline" }
    | { kind: "date" }
    | { kind: "datetime" }
    | { kind: "boolean" }
    | { kind: "json" }
    | { kind: "number"; whole: boolean; asText: boolean }
    | { kind: "money"; whole: false; asText: boolean; currency: string | undefined; currencyField: string | undefined }
    | { kind: "enum"; options: Option[] }
    | { kind: "array"; item: Schema }
    | { kind: "object"; fields: NamedField[] }
    | { kind: "choice"; variants: Variant[] }
  );

export type Kind = Field["kind"];

const DEEPEST = 12;

/** The field for a schema. `root` is where its references point to. */
export function fieldOf(schema: Json | undefined, root: Schema, name = "", required = false, depth = 0): Field {
  const { plain, nullable } = withoutNull(resolved(schema, root), root);
  const common: Common = {
    label: text(plain.title) ?? spoken(name),
    help: text(plain.description),
    required,
    nullable,
    readOnly: plain.readOnly === true || "const" in plain,
    schema: plain,
  };
  return depth > DEEPEST ? { ...common, kind: "json" } : described(plain, root, common, depth);
}

function described(schema: Schema, root: Schema, common: Common, depth: number): Field {
  const widget = text(schema["x-widget"]) ?? text(schema.format);
  const type = typeOf(schema);
  if (Array.isArray(schema.enum)) return { ...common, kind: "enum", options: schema.enum.map((value) => ({ value, label: shown(value) })) };
  const named = constants(schema, root);
  if (named) return { ...common, kind: "enum", options: named };
  if (widget === "json" || widget === "payload" || widget === "graph") return { ...common, kind: "json" };
  if (isDecimal(schema, root)) return numeric(schema, common, widget, type === "string" || type === null);
  const variants = variantsOf(schema, root);
  if (variants) return { ...common, kind: "choice", variants };
  switch (type) {
    case "string":
      return { ...common, kind: textKind(schema, widget) };
    case "integer":
      return { ...common, kind: "number", whole: true, asText: false };
    case "number":
      return numeric(schema, common, widget, false);
    case "boolean":
      return { ...common, kind: "boolean" };
    case "array":
      return isObject(schema.items) ? { ...common, kind: "array", item: schema.items } : { ...common, kind: "json" };
    case "object":
      return isObject(schema.properties) && Object.keys(schema.properties).length > 0
        ? { ...common, kind: "object", fields: members(schema, schema.properties, root, depth) }
        : { ...common, kind: "json" };
    default:
      return { ...common, kind: "json" };
  }
}

function members(schema: Schema, properties: JsonObject, root: Schema, depth: number): NamedField[] {
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  // The server keeps no order among properties, but that of a list: what is required comes first, as it is listed.
  const place = ([name]: [string, Json]) => (required.includes(name) ? required.indexOf(name) : required.length);
  return Object.entries(properties)
    .sort((one, other) => place(one) - place(other))
    .map(([name, each]) => ({ name, field: fieldOf(each, root, name, required.includes(name), depth + 1) }));
}

function numeric(schema: Schema, common: Common, widget: string | undefined, asText: boolean): Field {
  const currency = text(schema["x-currency"]);
  const currencyField = text(schema["x-currency-field"]);
  if (widget === "money" || currency || currencyField) {
    return { ...common, kind: "money", whole: false, asText, currency, currencyField };
  }
  return { ...common, kind: "number", whole: false, asText };
}

/** Decimals as text: said by the format, or as a number that may also be given as text. */
function isDecimal(schema: Schema, root: Schema): boolean {
  if (schema.type === "string") return schema.format === "decimal" || schema["x-widget"] === "money";
  if (!Array.isArray(schema.anyOf)) return false;
  const types = schema.anyOf.map((each) => typeOf(resolved(each, root)));
  return types.length === 2 && types.includes("number") && types.includes("string");
}

function textKind(schema: Schema, widget: string | undefined): "text" | "multiline" | "date" | "datetime" {
  if (widget === "date") return "date";
  if (widget === "date-time") return "datetime";
  const longest = schema.maxLength;
  const long = typeof longest === "number" && longest > 400;
  return widget === "multiline" || widget === "textarea" || (long && !widget) ? "multiline" : "text";
}

/** `oneOf` of constants with titles is how a schema names its options. */
function constants(schema: Schema, root: Schema): Option[] | null {
  const given = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(given) || given.length === 0) return null;
  const options = given.map((each) => resolved(each, root));
  if (!options.every((each) => "const" in each)) return null;
  return options.map((each) => ({ value: each.const as Json, label: text(each.title) ?? shown(each.const as Json) }));
}

/** Simple alternatives: each an object or a plain type, told apart by name. */
function variantsOf(schema: Schema, root: Schema): Variant[] | null {
  const given = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(given) || given.length < 2 || schema.properties) return null;
  const options = given.map((each) => resolved(each, root));
  if (options.some((each) => typeOf(each) === null)) return null;
  return options.map((each, at) => ({ label: text(each.title) ?? discriminator(each) ?? spoken(typeOf(each) ?? String(at + 1)), schema: each }));
}

function discriminator(schema: Schema): string | undefined {
  if (!isObject(schema.properties)) return undefined;
  for (const each of Object.values(schema.properties)) {
    if (isObject(each) && typeof each.const === "string") return each.const;
  }
  return undefined;
}

/** Which alternative a value belongs to: the one whose constants it has and whose type it is; -1 for none. */
export function variantOf(variants: readonly Variant[], value: unknown): number {
  return variants.findIndex(({ schema }) => {
    if (!isOfType(value, typeOf(schema))) return false;
    if (!isObject(schema.properties) || !isObject(value)) return true;
    const required = Array.isArray(schema.required) ? schema.required : [];
    const constant = Object.entries(schema.properties).every(
      ([name, each]) => !isObject(each) || !("const" in each) || same(value[name], each.const),
    );
    return constant && required.every((name) => typeof name === "string" && Object.hasOwn(value, name));
  });
}

function isOfType(value: unknown, type: string | null): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "number" || type === "integer") return isNumber(value);
  return typeof value === type;
}

/** What a new place begins with: its default, its only value, or the emptiest value of its kind. */
export function emptyOf(schema: Json | undefined, root: Schema): Json | undefined {
  const plain = resolved(schema, root);
  if (plain.default !== undefined) return plain.default;
  if (plain.const !== undefined) return plain.const;
  const field = fieldOf(plain, root);
  if (field.kind === "array") return [];
  if (field.kind !== "object") return undefined;
  const given = field.fields.flatMap(({ name, field: inner }) => {
    const value = emptyOf(inner.schema, root);
    return value !== undefined && (inner.required || inner.schema.default !== undefined) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** A schema with its references followed; its own words win over those it refers to. */
export function resolved(schema: Json | undefined, root: Schema, depth = 0): Schema {
  if (!isObject(schema)) return {};
  const whole = Array.isArray(schema.allOf) && schema.allOf.length === 1 ? { ...resolved(schema.allOf[0], root, depth + 1), ...without(schema, "allOf") } : schema;
  const reference = whole.$ref;
  if (typeof reference !== "string" || !reference.startsWith("#") || depth > DEEPEST) return whole;
  const target = valueAt(root, stepsOf(reference)) as Json | undefined;
  return { ...resolved(target, root, depth + 1), ...without(whole, "$ref") };
}

function withoutNull(schema: Schema, root: Schema): { plain: Schema; nullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((each) => each !== "null");
    return { plain: { ...schema, type: types.length === 1 ? (types[0] as Json) : types }, nullable: true };
  }
  for (const word of ["anyOf", "oneOf"] as const) {
    const options = schema[word];
    if (!Array.isArray(options)) continue;
    const others = options.filter((each) => typeOf(resolved(each, root)) !== "null");
    if (others.length === options.length) continue;
    const rest = without(schema, word);
    const plain = others.length === 1 ? { ...resolved(others[0], root), ...rest } : { ...rest, [word]: others };
    return { plain, nullable: true };
  }
  return { plain: schema, nullable: false };
}

function typeOf(schema: Schema): string | null {
  if (typeof schema.type === "string") return schema.type;
  if (schema.properties) return "object";
  return null;
}

function without(schema: Schema, name: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([each]) => each !== name));
}

function shown(value: Json): string {
  if (isNumber(value)) return textOf(value);
  return typeof value === "string" ? value : value === null ? "—" : typeof value === "object" ? "…" : String(value);
}

/** `grand_total` as people would write it. */
export function spoken(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
