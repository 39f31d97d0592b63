import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { exactly } from "../api/exactResponse";
import { changes } from "./diff";
import { compare, Exact, isMultiple, isWhole, numberOf, textOf } from "./exact";
import { formatMoney, formatNumber, inputText, readNumber } from "./format";
import { copyText, parse, same, stringify } from "./json";
import { valueAt, withValue } from "./pointer";
import { numberParam, parseSearch, stringifySearch } from "./search";

const TEXT = '{"amount":0.100000000000000001,"total":12500.10,"big":12345678901234567890,"count":3,"tiny":1E-30,"zero":-0.0}';

describe("a value that is read and written", () => {
  test("has the same digits as before", () => {
    expect(stringify(parse(TEXT))).toBe(TEXT);
    expect(stringify(parse("[12500.10, 1.0, 1e400, -0]"))).toBe("[12500.10,1.0,1e400,-0]");
  });

  test("counts with plain numbers where a browser is exact", () => {
    expect(parse('{"count": 3, "most": 9007199254740991}')).toEqual({ count: 3, most: 9007199254740991 });
    expect(parse("9007199254740993")).toEqual(new Exact("9007199254740993"));
  });

  test("cannot be rounded by accident", () => {
    const total = parse("12500.10") as Exact;
    expect(() => JSON.stringify({ total })).toThrow("round 12500.10");
    expect(() => (total as unknown as number) + 1).toThrow("exact");
    expect(() => (total as unknown as number) < 3).toThrow("exact");
    expect(String(total)).toBe("12500.10");
  });

  test("keeps its digits where another field is changed", () => {
    const changed = withValue(parse(TEXT), ["note"], "hello");
    expect(stringify(changed)).toBe(TEXT.replace("}", ',"note":"hello"}'));
    expect(valueAt(changed, ["amount"])).toEqual(new Exact("0.100000000000000001"));
  });

  test("refuses a key that is given twice with two values", () => {
    expect(() => parse('{"a": 1, "a": 2}')).toThrow(SyntaxError);
  });
});

describe("numbers", () => {
  test("are compared by value, to the last digit", () => {
    expect(compare(numberOf("0.100000000000000001"), numberOf("0.1"))).toBe(1);
    expect(compare(numberOf("0.10"), numberOf("0.1"))).toBe(0);
    expect(compare(numberOf("-2"), numberOf("1e-3"))).toBe(-1);
    expect(compare(numberOf("12e2"), numberOf("1200"))).toBe(0);
    expect(compare(numberOf("0e99999999"), numberOf("0"))).toBe(0);
    expect(compare(numberOf("1e99999999"), numberOf("1"))).toBe(1);
  });

  test("know their multiples as people do, not as binary fractions", () => {
    expect(isMultiple(numberOf("12500.10"), numberOf("0.01"))).toBe(true);
    expect(isMultiple(numberOf("0.100000000000000001"), numberOf("0.01"))).toBe(false);
    expect(isWhole(numberOf("1.0"))).toBe(true);
    expect(isWhole(numberOf("1.00000000000000000001"))).toBe(false);
  });

  test("sort a list by every digit", () => {
    const rows = ["0.100000000000000003", "0.100000000000000001", "0.100000000000000002"].map(numberOf);
    expect(rows.sort(compare).map(textOf)).toEqual([
      "0.100000000000000001",
      "0.100000000000000002",
      "0.100000000000000003",
    ]);
  });
});

describe("a number is shown", () => {
  test("with all its digits, in the reader's way", () => {
    expect(formatNumber(numberOf("12500.10"), "en-GB")).toBe("12,500.10");
    expect(formatNumber(numberOf("12500.10"), "de-DE")).toBe("12.500,10");
    expect(formatNumber(numberOf("0.100000000000000001"), "en-GB")).toBe("0.100000000000000001");
    expect(formatNumber(numberOf("12345678901234567890"), "en-GB")).toBe("12,345,678,901,234,567,890");
    expect(formatNumber(3, "en-GB")).toBe("3");
    expect(formatNumber(numberOf("1E-30"), "en-GB")).toBe("1E-30");
  });

  test("as money with the decimals of its currency, and more if it has more", () => {
    const spaced = (text: string) => text.replaceAll(/\s/g, " ");
    expect(spaced(formatMoney(12500, "EUR", "en-GB"))).toBe("EUR 12,500.00");
    expect(spaced(formatMoney(numberOf("12500.1"), "EUR", "de-DE"))).toBe("12.500,10 EUR");
    expect(spaced(formatMoney(numberOf("0.100000000000000001"), "EUR", "en-GB"))).toBe("EUR 0.100000000000000001");
    expect(spaced(formatMoney(1200, "JPY", "en-GB"))).toBe("JPY 1,200");
    expect(formatMoney(numberOf("1.50"), "points", "en-GB")).toBe("1.50 points");
    expect(formatMoney(numberOf("1.50"), undefined, "en-GB")).toBe("1.50");
  });
});

describe("what somebody types", () => {
  const read = (typed: string, locale: string) => {
    const number = readNumber(typed, locale);
    return number === null ? null : textOf(number);
  };

  test.each(["en-GB", "de-DE", "pt-PT", "fr-FR", "de-CH", "pl-PL"])("comes back as it was in %s", (locale) => {
    for (const text of ["12500.10", "0.100000000000000001", "-3", "12345678901234567890", "1.000"]) {
      expect(read(inputText(numberOf(text), locale), locale)).toBe(text);
      if (!text.includes("e")) expect(read(formatNumber(numberOf(text), locale), locale)).toBe(text);
    }
  });

  test("is read in the way of its locale", () => {
    expect(read("12.500,10", "de-DE")).toBe("12500.10");
    expect(read("12.5", "de-DE")).toBe("12.5");
    expect(read("1.234", "de-DE")).toBe("1234");
    expect(read("1,234.50", "en-GB")).toBe("1234.50");
    expect(read(" +007 ", "en-GB")).toBe("7");
    expect(read(".5", "en-GB")).toBe("0.5");
    expect(read("−5", "en-GB")).toBe("-5");
    expect(read("5.", "en-GB")).toBe("5");
  });

  test("is no number when it could be two", () => {
    for (const typed of ["", "12,50", "1,2,3", "1.2.3", "abc", "--1", "1,234,5", "0x10", "Infinity"]) {
      expect(read(typed, "en-GB"), typed).toBeNull();
    }
    expect(read("12,5,1", "de-DE")).toBeNull();
  });
});

test("a comparison names each field that differs, nested ones too, with every digit", () => {
  const before = parse('{"amount": 0.100000000000000001, "lines": [{"price": 10.0}], "old": 1}');
  const after = parse('{"amount": 0.100000000000000002, "lines": [{"price": 10.00}, {"price": 2}], "new": null}');
  expect(changes(before, after).map(({ pointer, kind, ...sides }) => [pointer, kind, stringify(sides.after ?? null)])).toEqual([
    ["/amount", "changed", "0.100000000000000002"],
    ["/lines/1", "added", '{"price":2}'],
    ["/old", "removed", "null"],
    ["/new", "added", "null"],
  ]);
  expect(changes(before, before)).toEqual([]);
});

test("a filter keeps its digits in the address, there and back", () => {
  const search = { over: "0.100000000000000001", under: "12500.10", page: 2, type: "invoice", tags: ["a", "1"], text: "true" };
  const address = stringifySearch(search);
  expect(address).toContain("over=0.100000000000000001");
  expect(address).toContain("under=12500.10");
  const read = parseSearch(address) as Record<string, unknown>;
  expect(read).toEqual(search);
  expect(textOf(numberParam(read.over) ?? 0)).toBe("0.100000000000000001");
  expect(numberParam((parseSearch("?over=10") as Record<string, unknown>).over)).toBe(10);
  expect(numberParam("ten")).toBeUndefined();
});

test("what is copied has every digit", () => {
  expect(copyText(parse('{"amount": 0.100000000000000001}'))).toBe('{\n  "amount": 0.100000000000000001\n}');
  expect(copyText(parse("12500.10"))).toBe("12500.10");
  expect(copyText("I-0031")).toBe("I-0031");
});

test("two values are the same when they mean the same", () => {
  expect(same(parse('{"a": 1.0, "b": [2]}'), parse('{"b": [2.00], "a": 1}'))).toBe(true);
  expect(same(parse('{"a": null}'), parse("{}"))).toBe(false);
  expect(same(parse('{"toString": 1}'), parse('{"x": 1}'))).toBe(false);
});

describe("an answer of the server", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  test("is read exactly, and what is sent is written exactly", async () => {
    let got = "";
    server = createServer((request, response) => {
      request.on("data", (part: Buffer) => (got += part.toString()));
      request.on("end", () => response.setHeader("Content-Type", "application/json").end(TEXT));
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    const body = stringify(parse(TEXT));
    const answer = exactly(await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body }));
    expect(stringify(await answer.json())).toBe(TEXT);
    expect(got).toBe(TEXT);
  });
});
