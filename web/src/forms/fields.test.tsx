// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { Problem } from "../api/problem";
import { type Json, parse, stringify } from "../json/json";
import { draw } from "../testing/render";
import type { Schema } from "./schema";
import { SchemaForm } from "./SchemaForm";
import { useSchemaForm } from "./useSchemaForm";

interface Props {
  schema: Schema;
  initial: Json;
  send: (value: Json) => Promise<unknown>;
}

function Form({ schema, initial, send }: Props) {
  const form = useSchemaForm({ schema, initial, onSubmit: send });
  return <SchemaForm form={form} schema={schema} action="Save" />;
}

/** A form with one field called "it", which is asked for as "Thing". */
function drawField(field: string, initial = "{}", required = false) {
  const schema = parse(`{"type": "object", ${required ? '"required": ["it"],' : ""} "properties": {"it": ${field}}}`) as Schema;
  const sent: string[] = [];
  let refusal: Problem | null = null;
  const send = (value: Json) => (refusal ? Promise.reject(refusal) : Promise.resolve(sent.push(stringify(value))));
  draw(<Form schema={schema} initial={parse(initial)} send={send} />);
  const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));
  return { sent, save, refuse: (problem: Problem) => (refusal = problem) };
}

const thing = () => screen.getByLabelText(/^Thing/);
const choose = (label: string) => userEvent.selectOptions(thing(), label);
const enter = (text: string) => async () => {
  await userEvent.clear(thing());
  await userEvent.type(thing(), text);
};

/** Kind, schema, what it holds at first, what somebody does, what is sent. */
const KINDS: [kind: string, field: string, initial: string, act: () => Promise<unknown>, sent: string][] = [
  ["text", `{"title": "Thing", "type": "string"}`, `{"it":"old"}`, enter("new"), `{"it":"new"}`],
  ["text that is emptied", `{"title": "Thing", "type": "string"}`, `{"it":"old"}`, () => userEvent.clear(thing()), `{}`],
  ["several lines", `{"title": "Thing", "type": "string", "x-widget": "multiline"}`, `{}`, enter("one{enter}two"), String.raw`{"it":"one\ntwo"}`],
  ["a date", `{"title": "Thing", "type": "string", "format": "date"}`, `{"it":"2026-01-31"}`, enter("2026-02-28"), `{"it":"2026-02-28"}`],
  ["a choice of words", `{"title": "Thing", "enum": ["net 14", "net 30"]}`, `{"it":"net 14"}`, () => choose("net 30"), `{"it":"net 30"}`],
  ["a choice of numbers", `{"title": "Thing", "enum": [1, 0.10, 12500.100000000000000001]}`, `{"it":1}`, () => choose("12500.100000000000000001"), `{"it":12500.100000000000000001}`],
  ["yes or no", `{"title": "Thing", "type": "boolean"}`, `{"it":true}`, () => userEvent.click(thing()), `{"it":false}`],
  ["a whole number", `{"title": "Thing", "type": "integer"}`, `{}`, enter("9007199254740993"), `{"it":9007199254740993}`],
  ["a number", `{"title": "Thing", "type": "number"}`, `{}`, enter("0.100000000000000001"), `{"it":0.100000000000000001}`],
  ["money", `{"title": "Thing", "type": "number", "x-widget": "money", "x-currency": "EUR"}`, `{"it":1.10}`, enter("12500.10"), `{"it":12500.10}`],
  ["an amount kept as text", `{"title": "Thing", "type": "string", "format": "decimal"}`, `{"it":"1.10"}`, enter("2.50"), `{"it":"2.50"}`],
  ["any JSON", `{"title": "Thing"}`, `{"it":{"x":1.0}}`, enter("[[2.50]"), `{"it":[2.50]}`],
];

describe("a field", () => {
  test.each(KINDS)("for %s takes what is entered and sends just that", async (_, field, initial, act, expected) => {
    const { sent, save } = drawField(field, initial);
    await act();
    await save();
    expect(sent).toEqual([expected]);
  });

  test.each(KINDS)("for %s that nobody touches is sent back digit by digit", async (_, field, initial) => {
    const { sent, save } = drawField(field, initial);
    await save();
    expect(sent).toEqual([initial]);
  });

  test.each(KINDS)("for %s shows the server's problem and is marked wrong", async (_, field, initial) => {
    const { save, refuse } = drawField(field, initial);
    refuse(new Problem({ code: "invalid_input", status: 422, detail: "no", errors: [{ field: "it", message: "the server says no" }] }));
    await save();
    const said = await screen.findByText("The server says no.");
    const described = thing().getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.some((id) => document.getElementById(id)?.contains(said))).toBe(true);
    expect(thing().getAttribute("aria-invalid")).toBe("true");
  });

  test("for several of known values is ticked, sends them in their order, and keeps what it does not know", async () => {
    const { sent, save, refuse } = drawField(`{"title": "Thing", "type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}}`, `{"it":["c"]}`);
    for (const name of ["b", "a", "b"]) await userEvent.click(screen.getByRole("checkbox", { name }));
    await save();
    expect(sent).toEqual([`{"it":["a","c"]}`]);
    refuse(new Problem({ code: "invalid_input", status: 422, detail: "no", errors: [{ field: "it", message: "too many" }] }));
    await save();
    const said = await screen.findByText("Too many.");
    expect(screen.getByRole("group", { name: "Thing" }).getAttribute("aria-describedby")).toBe(said.id);
    expect(screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-invalid"))).toEqual(["true", "true", "true"]);
  });

  test("for an instant is entered in the reader's zone and sent as one in UTC", async () => {
    const { sent, save } = drawField(`{"title": "Thing", "type": "string", "format": "date-time"}`);
    await enter("2026-02-28T12:30:00")();
    await save();
    const { it } = JSON.parse(sent[0] ?? "{}") as { it: string };
    expect(new Date(it).getTime()).toBe(new Date(2026, 1, 28, 12, 30).getTime());
    expect(screen.getByText(new RegExp(Intl.DateTimeFormat().resolvedOptions().timeZone))).toBeTruthy();
  });

  test("that must be there is asked for before anything is sent", async () => {
    const { sent, save } = drawField(`{"title": "Thing", "type": "string"}`, "{}", true);
    await save();
    expect(sent).toEqual([]);
    expect(screen.getByText("Please fill this in.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(thing()));
  });

  test("that may only be read is shown, and not changed", async () => {
    const { sent, save } = drawField(`{"title": "Thing", "type": "number", "readOnly": true}`, `{"it":1.50}`);
    await userEvent.type(thing(), "9");
    await save();
    expect(sent).toEqual([`{"it":1.50}`]);
  });
});

describe("a group of fields", () => {
  const ADDRESS = `{"title": "Address", "type": "object", "required": ["city"], "properties": {"city": {"type": "string", "title": "City"}, "zip": {"type": "string", "title": "ZIP"}}}`;

  test("is one object, and a problem lands on the field inside", async () => {
    const { sent, save, refuse } = drawField(ADDRESS, `{"it":{"city":"Porto","zip":"4000"}}`);
    expect(screen.getByRole("group", { name: /^Address/ })).toBeTruthy();
    await userEvent.type(screen.getByLabelText(/^ZIP/), "-001");
    await save();
    expect(sent).toEqual([`{"it":{"city":"Porto","zip":"4000-001"}}`]);
    refuse(new Problem({ code: "invalid_input", status: 422, detail: "no", errors: [{ field: "it.zip", message: "there is no such place" }] }));
    await save();
    await screen.findByText("There is no such place.");
    expect(screen.getByLabelText(/^ZIP/).getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByLabelText(/^City/).getAttribute("aria-invalid")).not.toBe("true");
  });

  test("of one of several shapes keeps what was entered in each", async () => {
    const { sent, save } = drawField(
      `{"title": "Payee", "oneOf": [
        {"title": "Person", "type": "object", "required": ["name"], "properties": {"name": {"type": "string", "title": "Name"}}},
        {"title": "Company", "type": "object", "required": ["vat"], "properties": {"vat": {"type": "string", "title": "VAT"}}}]}`,
      `{"it":{"name":"Ana"}}`,
    );
    const which = screen.getByRole("combobox");
    await userEvent.selectOptions(which, "Company");
    await userEvent.type(screen.getByLabelText(/^VAT/), "PT123");
    await userEvent.selectOptions(which, "Person");
    expect(screen.getByLabelText(/^Name/)).toHaveProperty("value", "Ana");
    await userEvent.selectOptions(which, "Company");
    await save();
    expect(sent).toEqual([`{"it":{"vat":"PT123"}}`]);
  });
});

test("while it is being sent nothing is sent twice", async () => {
  const schema = parse(`{"type": "object", "properties": {"it": {"type": "string", "title": "Thing"}}}`) as Schema;
  const send = vi.fn(() => new Promise(() => undefined));
  draw(<Form schema={schema} initial={{ it: "a" }} send={send} />);
  const button = screen.getByRole("button", { name: "Save" });
  await userEvent.click(button);
  await userEvent.click(button);
  await userEvent.type(thing(), "{Enter}");
  expect(send).toHaveBeenCalledOnce();
});
