// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Problem } from "../api/problem";
import { type Json, parse, stringify } from "../json/json";
import { draw } from "../testing/render";
import type { Place, Suggest } from "./context";
import type { Schema } from "./schema";
import { SchemaForm } from "./SchemaForm";
import { useSchemaForm } from "./useSchemaForm";

const SCHEMA = parse(`{
  "type": "object",
  "required": ["number", "total"],
  "properties": {
    "number": {"type": "string", "title": "Number", "description": "As it is printed."},
    "vendor": {"type": "string", "title": "Vendor", "x-suggest": "vendors"},
    "total": {"type": "number", "title": "Total", "minimum": 0.1, "x-currency": "EUR"},
    "urgent": {"type": "boolean", "title": "Urgent"},
    "terms": {"enum": ["net 14", "net 30"], "title": "Terms"},
    "lines": {"type": "array", "title": "Lines", "items": {"type": "object", "required": ["sku"], "properties": {"sku": {"type": "string", "title": "SKU"}, "price": {"type": "number", "title": "Price"}}}},
    "meta": {"title": "Meta"}
  }
}`) as Schema;

const INITIAL = '{"number":"I-0031","total":12500.10,"lines":[{"sku":"a","price":0.100000000000000001},{"sku":"b"}],"meta":{"x":1.0}}';

interface Props {
  initial?: Json;
  send?: (value: Json) => Promise<unknown>;
  suggestionsFor?: (place: Place) => Suggest | undefined;
  draftKey?: string;
}

const done = () => Promise.resolve();

function Form({ initial = parse(INITIAL), send = done, suggestionsFor, draftKey }: Props) {
  const form = useSchemaForm({ schema: SCHEMA, initial, onSubmit: send, draftKey });
  return <SchemaForm form={form} schema={SCHEMA} action="Save" {...(suggestionsFor && { suggestionsFor })} />;
}

const box = (name: string | RegExp) => screen.getByRole("textbox", { name });
const save = () => screen.getByRole("button", { name: "Save" });

beforeEach(() => localStorage.clear());

test("saving untouched content writes the same digits back", async () => {
  const sent: string[] = [];
  draw(<Form send={(value) => Promise.resolve(sent.push(stringify(value)))} />);
  expect(box(/^Total/)).toHaveProperty("value", "12500.10");
  await userEvent.click(save());
  expect(sent).toEqual([INITIAL]);
});

test("one changed field leaves every other digit as it was", async () => {
  const sent: string[] = [];
  draw(<Form send={(value) => Promise.resolve(sent.push(stringify(value)))} />);
  await userEvent.clear(box(/^Total/));
  await userEvent.type(box(/^Total/), "0.100000000000000001");
  await userEvent.click(save());
  // The field was empty for a moment, so it comes last; every digit is there.
  const rest = INITIAL.replace('"total":12500.10,', "").slice(0, -1);
  expect(sent).toEqual([`${rest},"total":0.100000000000000001}`]);
});

describe("a problem", () => {
  test("is said where it is, by eye and by ear, and the first one gets the focus", async () => {
    const send = vi.fn(done);
    draw(<Form send={send} />);
    await userEvent.clear(box(/^Number/));
    await userEvent.clear(box(/^Total/));
    await userEvent.type(box(/^Total/), "0.09");
    await userEvent.click(save());
    const number = box(/^Number/);
    await waitFor(() => expect(document.activeElement).toBe(number));
    expect(number.getAttribute("aria-invalid")).toBe("true");
    const described = number.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent).join(" ")).toContain("Please fill this in.");
    expect(screen.getByText("At least 0.1.")).toBeTruthy();
    expect(screen.getByText("2 things to mend")).toBeTruthy();
    expect(send).not.toHaveBeenCalled();
  });

  test("of the server lands on the field it names and goes when that is changed", async () => {
    const refused = new Problem({
      ...{ code: "invalid_document", status: 422, detail: "this is no invoice" },
      errors: [{ field: "lines.1.sku", message: "it is sold out" }],
    });
    draw(<Form send={() => Promise.reject(refused)} />);
    await userEvent.click(save());
    const second = within(screen.getByRole("listitem", { name: "Lines 2" })).getByRole("textbox", { name: /^SKU/ });
    await waitFor(() => expect(document.activeElement).toBe(second));
    expect(screen.getByText("It is sold out.")).toBeTruthy();
    expect(screen.queryByText("This is no invoice.")).toBeNull();
    await userEvent.type(second, "x");
    expect(screen.queryByText("It is sold out.")).toBeNull();
  });

  test("that names no field is shown whole", async () => {
    draw(<Form send={() => Promise.reject(new Problem({ code: "conflict", status: 409, detail: "too late" }))} />);
    await userEvent.click(save());
    expect((await screen.findByRole("alert")).textContent).toContain("Too late");
  });
});

describe("what was typed", () => {
  test("is there again after a reload, unfinished numbers too, and gone once it is saved", async () => {
    const first = draw(<Form draftKey="northwind:ana:I-0031" />);
    await userEvent.type(box(/^Number/), "-b");
    await userEvent.type(box(/^Total/), ",,");
    first.unmount();
    const second = draw(<Form draftKey="northwind:ana:I-0031" />);
    expect(box(/^Number/)).toHaveProperty("value", "I-0031-b");
    expect(box(/^Total/)).toHaveProperty("value", "12500.10,,");
    expect(screen.getByText("What you had entered is still here.")).toBeTruthy();
    await userEvent.clear(box(/^Total/));
    await userEvent.type(box(/^Total/), "7");
    await userEvent.click(save());
    await waitFor(() => expect(localStorage.length).toBe(0));
    second.unmount();
    draw(<Form draftKey="northwind:ana:I-0031" />);
    expect(box(/^Number/)).toHaveProperty("value", "I-0031");
  });

  test("stays when somebody else changes the document meanwhile, and says so", async () => {
    const { redraw } = draw(<Form draftKey="k" />);
    await userEvent.type(box(/^Number/), "-mine");
    redraw(<Form draftKey="k" initial={parse(INITIAL.replace("I-0031", "I-0032"))} />);
    expect(box(/^Number/)).toHaveProperty("value", "I-0031-mine");
    expect(screen.getByText("This was changed while you were writing.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Discard mine and show the newer" }));
    expect(box(/^Number/)).toHaveProperty("value", "I-0032");
  });

  test("over another version is offered, not put in", async () => {
    const first = draw(<Form draftKey="k" />);
    await userEvent.type(box(/^Number/), "-mine");
    first.unmount();
    draw(<Form draftKey="k" initial={parse(INITIAL.replace("I-0031", "I-0032"))} />);
    expect(box(/^Number/)).toHaveProperty("value", "I-0032");
    await userEvent.click(screen.getByRole("button", { name: "Take my draft" }));
    expect(box(/^Number/)).toHaveProperty("value", "I-0031-mine");
  });
});

test("items are added, moved and removed by keyboard, and the focus goes along", async () => {
  const sent: Json[] = [];
  draw(<Form send={(value) => Promise.resolve(sent.push(value))} />);
  screen.getByRole("button", { name: "Move Lines 1 down" }).focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Lines 2 down"));
  screen.getByRole("button", { name: "Remove Lines 1" }).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Add to Lines" }));
  await userEvent.type(within(screen.getByRole("listitem", { name: "Lines 2" })).getByRole("textbox", { name: /^SKU/ }), "new");
  await userEvent.click(save());
  expect(stringify(sent[0])).toContain('"lines":[{"sku":"a","price":0.100000000000000001},{"sku":"new"}]');
});

test("suggestions come from whoever knows, and anything else may be entered too", async () => {
  const suggest = vi.fn((typed: string) => Promise.resolve(["Fjord Textiles", "Nordlicht"].filter((name) => name.includes(typed))));
  const suggestionsFor = ({ field }: Place) => (field.schema["x-suggest"] === "vendors" ? suggest : undefined);
  draw(<Form suggestionsFor={suggestionsFor} />);
  const vendor = screen.getByRole("combobox", { name: /^Vendor/ });
  await userEvent.type(vendor, "Fj");
  await userEvent.click(await screen.findByRole("option", { name: "Fjord Textiles", hidden: true }));
  expect(vendor).toHaveProperty("value", "Fjord Textiles");
  await userEvent.clear(vendor);
  await userEvent.type(vendor, "Somebody else");
  expect(vendor).toHaveProperty("value", "Somebody else");
});

test("a shape the form does not know is edited as JSON, digits kept, nonsense not sent", async () => {
  const sent: Json[] = [];
  draw(<Form send={(value) => Promise.resolve(sent.push(value))} />);
  const meta = box(/^Meta/);
  expect(meta).toHaveProperty("value", '{\n  "x": 1.0\n}');
  await userEvent.clear(meta);
  await userEvent.type(meta, "[[1.50,");
  await userEvent.click(save());
  expect(sent).toEqual([]);
  await userEvent.type(meta, " 2]");
  await userEvent.click(save());
  expect(stringify(sent[0])).toContain('"meta":[1.50,2]');
});
