/** Values of a document as people read them: what a place is called, and what is there, by the contract's schema. */
import { type Field, fieldOf, type Schema, spoken } from "../../forms/schema";
import { formats } from "../../i18n/formats";
import { isNumber, isNumberText, numberOf } from "../../json/exact";
import { formatMoney, formatNumber } from "../../json/format";
import { isObject, type Json, type JsonObject, stringify } from "../../json/json";
import { type Path, valueAt } from "../../json/pointer";

export interface Words {
  yes: string;
  no: string;
  none: string;
}

/** The field at a place of a document, or null where the schema says nothing of it. */
export function fieldAt(schema: Schema, path: Path): Field | null {
  let field: Field = fieldOf(schema, schema);
  for (const step of path) {
    if (field.kind === "object") {
      const inner = field.fields.find(({ name }) => name === step);
      if (!inner) return null;
      field = inner.field;
    } else if (field.kind === "array") field = fieldOf(field.item, schema);
    else return null;
  }
  return field;
}

/** `lines.0.price` as "Lines 1 › Price". */
export function placeName(schema: Schema, path: Path): string {
  const parts: string[] = [];
  path.forEach((step, at) => {
    const known = fieldAt(schema, path.slice(0, at + 1));
    if (typeof step === "number") {
      const last = parts.pop() ?? "";
      parts.push(`${last} ${step + 1}`.trim());
    } else parts.push(known?.label ?? spoken(step));
  });
  return parts.join(" › ");
}

/** A value in words: amounts with their currency, dates as the reader writes them; what has parts is given as JSON. */
export function shownValue(value: Json | undefined, field: Field | null, whole: Json, words: Words): string {
  if (value === undefined || value === null || value === "") return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (field?.kind === "money") return money(value, field, whole);
  if (isNumber(value)) return formatNumber(value);
  if (typeof value === "string") return field?.kind === "date" ? day(value) : field?.kind === "enum" ? optionLabel(field, value) : value;
  return stringify(value);
}

/** The same in one line for what has parts: each with its name, in the contract's order. */
export function summed(value: Json, field: Field | null, schema: Schema, whole: Json, words: Words): string {
  if (Array.isArray(value)) {
    const item = field?.kind === "array" ? fieldOf(field.item, schema) : null;
    return value.map((each) => summed(each, item, schema, whole, words)).join("; ") || words.none;
  }
  if (!isObject(value)) return shownValue(value, field, whole, words);
  const named = field?.kind === "object" ? field.fields : [];
  const names = [...new Set([...named.map(({ name }) => name), ...Object.keys(value)])].filter((name) => value[name] !== undefined);
  return names
    .map((name) => {
      const inner = named.find((each) => each.name === name)?.field ?? null;
      return `${inner?.label ?? spoken(name)} ${summed(value[name] ?? null, inner, schema, whole, words)}`;
    })
    .join(", ");
}

function money(value: Json, field: Field & { kind: "money" }, whole: Json): string {
  const named = field.currencyField ? valueAt(whole, [field.currencyField]) : field.currency;
  const currency = typeof named === "string" ? named : field.currency;
  if (isNumber(value)) return formatMoney(value, currency);
  if (typeof value !== "string") return stringify(value);
  return isNumberText(value) ? formatMoney(numberOf(value), currency) : value;
}

function day(value: string): string {
  const at = new Date(`${value}T12:00:00`);
  return Number.isNaN(at.getTime()) ? value : at.toLocaleDateString(formats(), { dateStyle: "medium" });
}

function optionLabel(field: Field & { kind: "enum" }, value: string): string {
  return field.options.find((option) => option.value === value)?.label ?? value;
}

export interface Headline {
  /** What the document is called among its kind: its number, else a name. */
  name: string | undefined;
  amount: string | undefined;
  /** Who or what it is about besides. */
  about: string | undefined;
}

const NAMES = /^(number|no|code|reference|ref|name|title|subject)$|_(number|no|code)$/;
const AMOUNTS = /^(grand_)?total$|amount$|^sum$|^price$/;

/** What a list shows of a document before anybody opens it. */
export function headlineOf(schema: Schema, data: JsonObject, words: Words): Headline {
  const root = fieldOf(schema, schema);
  const fields = root.kind === "object" ? root.fields : [];
  const texts = fields.filter(({ name, field }) => field.kind === "text" && typeof data[name] === "string" && data[name] !== "");
  const name = texts.find((each) => NAMES.test(each.name));
  const about = texts.find((each) => each !== name);
  const amount =
    fields.find(({ field }) => field.kind === "money") ??
    fields.find(({ name: each, field }) => field.kind === "number" && AMOUNTS.test(each));
  const said = (found: (typeof fields)[number] | undefined) =>
    found && data[found.name] !== undefined && data[found.name] !== null ? shownValue(data[found.name], found.field, data, words) : undefined;
  return { name: said(name), amount: said(amount), about: said(about) };
}

/** Whether a document has some words in it, whatever their case; digits are looked for as they are kept. */
export function hasText(data: Json, text: string): boolean {
  if (text === "") return true;
  if (Array.isArray(data)) return data.some((each) => hasText(each, text));
  if (isObject(data)) return Object.values(data).some((each) => hasText(each, text));
  const said = typeof data === "string" ? data : isNumber(data) ? `${stringify(data)} ${formatNumber(data)}` : String(data);
  return said.toLowerCase().includes(text.toLowerCase());
}
