import { describe, expect, test } from "vitest";
import { parse, type JsonObject } from "../../json/json";
import { contractOf, movesOf, stagesOf } from "./contract";
import { documentFilter, documentView, fromKept, kept } from "./filter";
import { storyOf, principalName } from "./story";
import { hasText, headlineOf, placeName, shownValue, fieldAt, summed } from "./values";

const WORDS = { yes: "yes", no: "no", none: "—" };
const SCHEMA = {
  type: "object",
  required: ["number", "total"],
  properties: {
    number: { type: "string", title: "Number" },
    supplier: { type: "string", title: "Supplier" },
    total: { type: "number", title: "Total", "x-widget": "money", "x-currency-field": "currency" },
    currency: { type: "string", enum: ["EUR", "USD"] },
    lines: { type: "array", title: "Lines", items: { type: "object", properties: { price: { type: "number", title: "Price" } } } },
  },
} satisfies JsonObject;

const contract = contractOf({
  entity_type: "invoice",
  contract: {
    title: "Invoice",
    document: SCHEMA,
    states: [
      { name: "draft", edit_window: "editable" },
      { name: "submitted", edit_window: "amend_only" },
      { name: "active", edit_window: "locked" },
      { name: "cancelled", edit_window: "locked" },
      { name: "amended", edit_window: "editable" },
    ],
    transitions: [
      { name: "submit", from: ["draft", "amended"], to: "submitted" },
      { name: "approve", from: ["submitted"], to: "active", trigger: "automatic", outcome: "approved" },
      { name: "reject", from: ["submitted"], to: "draft", kind: "return" },
      { name: "cancel", from: ["draft", "submitted", "active"], to: "cancelled", kind: "cancel", roles: ["controller"] },
      { name: "amend", from: ["submitted"], to: "amended", kind: "amend" },
    ],
  },
});

describe("the way of a document", () => {
  const at = (status: string) => stagesOf(contract, status).map((stage) => `${stage.state.name}:${stage.at}`);

  test("leads along what is onward, and shows where it is", () => {
    expect(at("draft")).toEqual(["draft:here", "submitted:ahead", "active:ahead"]);
    expect(at("active")).toEqual(["draft:done", "submitted:done", "active:here"]);
  });

  test("of one that left it shows where it ended, or where it goes on from", () => {
    expect(at("cancelled")).toEqual(["draft:done", "cancelled:here"]);
    expect(at("amended")).toEqual(["amended:here", "submitted:ahead", "active:ahead"]);
  });
});

describe("what may be done", () => {
  const refusals = (status: string, roles: string[], ...permissions: string[]) =>
    Object.fromEntries(movesOf(contract, status, { may: (permission) => permissions.includes(permission), roles }).map(({ transition, refusal }) => [transition.name, refusal?.code ?? null]));

  test("is said with why not, for each reason there is", () => {
    expect(refusals("draft", [], "documents:write")).toEqual({ submit: null, approve: "state", reject: "state", cancel: "role" });
    expect(refusals("submitted", ["controller"], "documents:write")).toEqual({ submit: "state", approve: "automatic", reject: "automatic", cancel: null });
    expect(refusals("draft", [])).toMatchObject({ submit: "permission" });
  });
});

describe("values", () => {
  const data = parse('{"number":"I-1","supplier":"Fjord","total":0.100000000000000001,"currency":"EUR","lines":[{"price":2.50}]}') as JsonObject;

  test("keep every digit in the headline and in each field", () => {
    const headline = headlineOf(SCHEMA, data, WORDS);
    expect(headline.name).toBe("I-1");
    expect(headline.about).toBe("Fjord");
    expect(headline.amount).toContain("0.100000000000000001");
    expect(shownValue(data.total, fieldAt(SCHEMA, ["total"]), data, WORDS)).toContain("EUR");
  });

  test("are named by the contract, nested ones by their way", () => {
    expect(placeName(SCHEMA, ["lines", 0, "price"])).toBe("Lines 1 › Price");
    expect(placeName(SCHEMA, ["due_on"])).toBe("Due on");
  });

  test("that have parts are told in one line, each part by its name", () => {
    expect(summed([{ price: 2 }, { price: 3 }], fieldAt(SCHEMA, ["lines"]), SCHEMA, data, WORDS)).toBe("Price 2; Price 3");
    expect(summed({ odd_one: true }, null, SCHEMA, data, WORDS)).toBe("Odd one yes");
  });

  test("are found by their words and by their digits", () => {
    expect(hasText(data, "fjord")).toBe(true);
    expect(hasText(data, "0.100000000000000001")).toBe(true);
    expect(hasText(data, "0.100000000000000002")).toBe(false);
  });
});

test("a kept view opens as it was kept", () => {
  const filter = documentFilter({ type: "invoice", status: "submitted", text: "Fjord" });
  expect(kept(filter)).toEqual({ entity_type: "invoice", doc_status: "submitted", text: "Fjord" });
  expect(fromKept(kept(filter))).toEqual(filter);
  expect(fromKept({ colour: "red" })).toEqual({});
});

test("a filter in the address keeps what is valid, digits too", () => {
  expect(documentFilter({ type: "invoice", status: "draft", text: "0.100000000000000001" })).toEqual({ type: "invoice", status: "draft", text: "0.100000000000000001" });
  expect(documentFilter({ type: "Invoice!", text: 42 })).toEqual({ text: "42" });
  expect(documentView({ tab: "versions", version: 2, against: -1 })).toEqual({ tab: "versions", version: 2 });
});

test("the story of a document is told in the order it happened, and names what an edit voided", () => {
  const version = (number: number, at: string) => ({
    ...{ id: `v${number}`, document_id: "d", version: number, contract_version: 1, doc_status: "draft", data: {}, content_hash: `h${number}` },
    ...{ changed_fields: number > 1 ? ["total"] : [], instance_id: null, created_at: at, created_by: "user:chloe" },
  });
  const request = {
    ...{ id: "r1", kind: "approval" as const, status: "voided", title: "Invoice I-1", requester: "chloe", entity_version: 1, created_at: "2026-06-01T10:00:00Z" },
    ...{ closed_at: "2026-06-01T11:00:00Z", changed_fields: ["total"], reason: null },
  };
  const story = storyOf({
    versions: [version(2, "2026-06-01T11:00:00Z"), version(1, "2026-06-01T09:00:00Z")],
    requests: [{ request, assignees: [{ principal: "role:finance" }], decisions: [] } as never],
    steps: [],
  });
  expect(story.map(({ kind }) => kind)).toEqual(["created", "asked", "edited", "voided"]);
  expect(story[3]).toMatchObject({ fields: ["total"], title: "Invoice I-1" });
});

test("those who are asked are told apart", () => {
  expect(principalName("role:finance")).toEqual({ kind: "role", name: "finance" });
  expect(principalName("user:ana")).toEqual({ kind: "user", name: "ana" });
  expect(principalName("anyone")).toEqual({ kind: "anyone", name: "" });
});
