import { describe, expect, test } from "vitest";
import { Problem, problemFrom } from "../api/problem";
import { Exact } from "../json/exact";
import { isObject, type Json, parse, stringify } from "../json/json";
import { keepDraft, readDraft, sweepDrafts } from "./drafts";
import { instantOf, localInput } from "./moments";
import { placed, pointerFor } from "./placing";
import { emptyOf, fieldOf, type Schema, spoken, variantOf } from "./schema";
import { beginning, formReducer } from "./state";
import { validate } from "./validate";

const schema = (text: string): Schema => {
  const value = parse(text);
  if (!isObject(value)) throw new Error("no schema");
  return value;
};

const INVOICE = schema(`{
  "type": "object",
  "required": ["number", "total", "lines"],
  "properties": {
    "number": {"type": "string", "title": "Invoice number", "minLength": 3},
    "total": {"type": "number", "x-widget": "money", "x-currency-field": "currency", "minimum": 0.1, "multipleOf": 0.01},
    "rate": {"type": "number", "exclusiveMinimum": 0.1, "maximum": 10000},
    "currency": {"enum": ["EUR", "USD"]},
    "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    "asked_at": {"type": "string", "format": "date-time"},
    "note": {"type": "string", "maxLength": 2000},
    "copies": {"type": "integer"},
    "price": {"type": "string", "format": "decimal"},
    "paid": {"type": "boolean"},
    "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/line"}},
    "pay": {"oneOf": [
      {"type": "object", "title": "By bank", "required": ["kind", "iban"], "properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}}},
      {"type": "object", "title": "By card", "required": ["kind"], "properties": {"kind": {"const": "card"}}}
    ]},
    "extra": {}
  },
  "$defs": {"line": {"type": "object", "required": ["price"], "properties": {"sku": {"type": "string"}, "price": {"type": "number", "minimum": 0}}}}
}`);

const faults = (of: Schema, text: string) => validate(of, parse(text)).map(({ pointer, code, limit }) => [pointer, code, limit]);

describe("a schema becomes fields", () => {
  test("of the kind that its shape asks for, and JSON for what it does not know", () => {
    const field = fieldOf(INVOICE, INVOICE);
    if (field.kind !== "object") throw new Error("no object");
    expect(Object.fromEntries(field.fields.map(({ name, field: each }) => [name, each.kind]))).toEqual({
      ...{ number: "text", total: "money", rate: "number", currency: "enum", due: "date", asked_at: "datetime" },
      ...{ note: "multiline", copies: "number", price: "number", paid: "boolean", lines: "array", pay: "choice", extra: "json" },
    });
    const due = field.fields.find(({ name }) => name === "due")?.field;
    expect(due).toMatchObject({ nullable: true, required: false, label: "Due" });
    expect(field.fields[0]?.field).toMatchObject({ label: "Invoice number", required: true });
    expect(spoken("grandTotal")).toBe("Grand Total");
  });

  test("that end, even when the schema refers to itself", () => {
    const tree = schema('{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}}}}}');
    expect(fieldOf(tree, tree).kind).toBe("object");
    expect(fieldOf(schema('{"$ref": "#"}'), schema('{"$ref": "#"}')).kind).toBe("json");
  });

  test("whose alternatives are told apart by what they hold", () => {
    const field = fieldOf((INVOICE.properties as Schema).pay, INVOICE);
    if (field.kind !== "choice") throw new Error("no choice");
    expect(field.variants.map(({ label }) => label)).toEqual(["By bank", "By card"]);
    expect(variantOf(field.variants, { kind: "card" })).toBe(1);
    expect(variantOf(field.variants, { kind: "cash" })).toBe(-1);
    expect(emptyOf(field.variants[1]?.schema, INVOICE)).toEqual({ kind: "card" });
  });

  test("named by their titles when the options are constants", () => {
    const field = fieldOf(schema('{"oneOf": [{"const": 1, "title": "One"}, {"const": 0.10}]}'), {});
    expect(field).toMatchObject({ kind: "enum", options: [{ value: 1, label: "One" }, { value: new Exact("0.10") }] });
  });
});

describe("a value is checked", () => {
  const good = '{"number": "I-1", "total": 12500.10, "lines": [{"price": 1}]}';

  test("and passes when it is right", () => {
    expect(faults(INVOICE, good)).toEqual([]);
  });

  test("at each place, with what was asked for", () => {
    expect(faults(INVOICE, '{"number": "I", "total": -1, "lines": [{"price": -1}], "currency": "GBP", "due": "soon", "copies": 1.5}')).toEqual([
      ["/number", "minLength", "3"],
      ["/total", "minimum", "0.1"],
      ["/currency", "enum", undefined],
      ["/due", "oneOf", undefined],
      ["/copies", "type", "integer"],
      ["/lines/0/price", "minimum", "0"],
    ]);
    expect(faults(INVOICE, "{}")).toEqual([
      ["/number", "required", undefined],
      ["/total", "required", undefined],
      ["/lines", "required", undefined],
    ]);
    expect(faults(INVOICE, '{"number": "I-1", "total": 1, "lines": []}')).toEqual([["/lines", "minItems", "1"]]);
  });

  test("to the last digit, where binary numbers see no difference", () => {
    const rate = (text: string) => faults(INVOICE, `{"number": "I-1", "total": 1, "lines": [{"price": 1}], "rate": ${text}}`).map(([, code]) => code);
    expect(rate("0.1")).toEqual(["exclusiveMinimum"]);
    expect(rate("0.100000000000000001")).toEqual([]);
    expect(rate("0.099999999999999999")).toEqual(["exclusiveMinimum"]);
    expect(rate("10000.000000000000001")).toEqual(["maximum"]);
    expect(rate("10000.000")).toEqual([]);
    const total = (text: string) => faults(INVOICE, `{"number": "I-1", "total": ${text}, "lines": [{"price": 1}]}`).map(([, code]) => code);
    expect(total("0.30")).toEqual([]);
    expect(total("0.300000000000000001")).toEqual(["multipleOf"]);
    expect(total("99999999999999999.99")).toEqual([]);
    const whole = (text: string) => faults(schema('{"type": "integer"}'), text).length === 0;
    expect([whole("3.0"), whole("3.0000000000000000001"), whole("12345678901234567890")]).toEqual([true, false, true]);
  });

  test("exactly inside alternatives and lists too", () => {
    const either = schema('{"oneOf": [{"type": "number", "maximum": 0.1}, {"type": "number", "minimum": 0.100000000000000001}]}');
    expect(faults(either, "0.1")).toEqual([]);
    expect(faults(either, "0.100000000000000001")).toEqual([]);
    expect(faults(either, "0.1000000000000000005")).toEqual([["", "oneOf", undefined]]);
    const unique = schema('{"type": "array", "uniqueItems": true}');
    expect(faults(unique, "[0.1, 0.100000000000000001]")).toEqual([]);
    expect(faults(unique, "[0.10, 0.1]").map(([, code]) => code)).toEqual(["uniqueItems"]);
    expect(faults(schema('{"enum": [0.100000000000000001]}'), "0.1").map(([, code]) => code)).toEqual(["enum"]);
    expect(faults(schema('{"const": 12500.1}'), "12500.10")).toEqual([]);
  });

  test("and left to the server where the schema cannot be used here", () => {
    expect(faults(schema('{"$ref": "#/$defs/gone"}'), "1")).toEqual([]);
    expect(faults(schema('{"type": "string", "pattern": "(?<=x)(?P<n>a"}'), '"x"')).toEqual([]);
  });
});

describe("what is entered", () => {
  const start = beginning(parse('{"total": 12500.10, "lines": [{"price": 1.0}, {"price": 2.0}, {"price": 3.0}]}'));

  test("changes its place and no digit elsewhere", () => {
    const next = formReducer(start, { kind: "set", path: ["note"], value: "hello" });
    expect(stringify(next.value)).toBe('{"total":12500.10,"lines":[{"price":1.0},{"price":2.0},{"price":3.0}],"note":"hello"}');
    expect(formReducer(next, { kind: "set", path: ["note"], value: undefined }).value).toEqual(start.value);
  });

  test("moves and goes with its item, readable or not", () => {
    let state = formReducer(start, { kind: "type", path: ["lines", 0, "price"], text: "12," });
    state = formReducer(state, { kind: "move", path: ["lines"], from: 0, to: 2 });
    expect(stringify(state.value)).toContain('[{"price":2.0},{"price":3.0},{"price":1.0}]');
    expect(state.typed).toEqual({ "/lines/2/price": "12," });
    state = formReducer(state, { kind: "remove", path: ["lines"], at: 0 });
    expect(state.typed).toEqual({ "/lines/1/price": "12," });
    state = formReducer(state, { kind: "set", path: ["lines", 1, "price"], value: 12 });
    expect(state.typed).toEqual({});
    state = formReducer(state, { kind: "add", path: ["lines"], value: {} });
    expect(stringify(state.value)).toContain('"lines":[{"price":3.0},{"price":12},{}]');
  });
});

describe("a draft", () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
      key: (at: number) => [...kept.keys()][at] ?? null,
      get length() {
        return kept.size;
      },
    };
  };
  const from: Json = parse('{"total": 12500.10}');
  const now = new Date("2026-06-01T08:00:00Z");

  test("comes back with every digit and every unfinished text", () => {
    const place = shelf();
    keepDraft("a", { value: parse('{"total": 0.100000000000000001}'), typed: { "/x": "12," } }, from, now, place);
    const draft = readDraft("a", place);
    expect(stringify(draft?.state.value)).toBe('{"total":0.100000000000000001}');
    expect(draft?.state.typed).toEqual({ "/x": "12," });
    expect(stringify(draft?.from)).toBe('{"total":12500.10}');
  });

  test("is gone when nothing differs, and when nobody came back", () => {
    const place = shelf();
    keepDraft("a", beginning({ total: 1 }), from, now, place);
    keepDraft("b", beginning({ total: 1 }), from, new Date("2026-01-01T00:00:00Z"), place);
    place.setItem("another", "x");
    sweepDrafts(now, place);
    expect([place.length, readDraft("b", place)]).toEqual([2, null]);
    keepDraft("a", beginning(parse('{"total": 12500.1}')), from, now, place);
    expect(place.length).toBe(1);
  });

  test("that cannot be read is none", () => {
    const place = shelf();
    place.setItem("holdfast.draft.a", "{");
    expect(readDraft("a", place)).toBeNull();
  });
});

describe("a server's problem lands", () => {
  test("on the field it names, however deep", () => {
    expect(pointerFor("lines.0.price", INVOICE)).toBe("/lines/0/price");
    expect(pointerFor("data.lines.0.price", INVOICE, "data")).toBe("/lines/0/price");
    expect(pointerFor("/lines/1/sku", INVOICE)).toBe("/lines/1/sku");
    expect(pointerFor("lines.0.price.exact", INVOICE)).toBe("/lines/0/price");
    expect(pointerFor("moon", INVOICE)).toBeNull();
    expect(pointerFor("a.b", schema('{"type": "object", "properties": {"a.b": {"type": "string"}}}'))).toBe("/a.b");
  });

  test("on all fields that a refused document names, and on the form where it names none", () => {
    const refused = problemFrom(422, {
      code: "invalid_document",
      detail: "this is no invoice",
      field: "total",
      problems: [
        { path: "total", message: "-1 is too small" },
        { path: "lines.1.price", message: "it is missing" },
        { path: "", message: "unknown field moon" },
      ],
    });
    expect(placed(refused, INVOICE)).toEqual({ fields: { "/total": "-1 is too small", "/lines/1/price": "it is missing" }, rest: true });
    expect(placed(new Problem({ code: "conflict", status: 409 }), INVOICE)).toEqual({ fields: {}, rest: true });
  });
});

test("an instant is entered in the reader's zone and kept with its offset", () => {
  const entered = localInput("2026-06-01T07:00:00Z");
  expect(new Date(instantOf(entered) ?? "").toISOString()).toBe("2026-06-01T07:00:00.000Z");
  expect(instantOf("2026-06-01T09:30:15")).toMatch(/^2026-06-01T09:30:15(Z|[+-]\d\d:\d\d)$/);
  expect([instantOf(""), localInput("soon")]).toEqual([null, ""]);
});
