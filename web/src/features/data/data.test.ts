import { describe, expect, test } from "vitest";
import { parse, stringify } from "../../json/json";
import { dataPlace } from "./filter";
import { branches, partOf, tableOf, timeLeft, valueOf, windowOf } from "./model";
import { BrokenExport, intoNamespace, readExport } from "./transfer";

test("namespaces are a tree with the keys of each level, and a level with one thing is not drawn", () => {
  const tree = branches([
    { namespace: "erp.cursor", key_count: 2 },
    { namespace: "erp.price.eu", key_count: 3 },
    { namespace: "visits", key_count: 1 },
  ]);
  expect(tree.map(({ label, keys }) => [label, keys])).toEqual([["erp.", 5], ["visits", 1]]);
  expect(tree[0]?.below.map(({ label, path, keys }) => [label, path, keys])).toEqual([
    ["cursor", "erp.cursor", 2],
    ["price.eu", "erp.price.eu", 3],
  ]);
  expect(branches([{ namespace: "a", key_count: 1 }, { namespace: "a.b", key_count: 2 }]).map(({ own }) => own?.namespace)).toEqual(["a", "a.b"]);
});

test("the address says what is looked at, and a key that looks like a number stays its text", () => {
  expect(dataPlace({ namespace: "n", key: 2026, view: "table", watch: true, other: 1 })).toEqual({ namespace: "n", key: "2026", view: "table", watch: true });
  expect(dataPlace({ key: "without a namespace", view: "nonsense", tab: 3 })).toEqual({});
});

test("a long text is cut between characters, and says how long it is", () => {
  expect(partOf("abc", 3)).toEqual({ text: "abc", length: 3 });
  expect(partOf("ab😀d", 3)).toEqual({ text: "ab", length: 5 });
});

test("a table keeps every digit", () => {
  expect(tableOf(parse('[{"n": 0.100000000000000001}, {"n": 9223372036854775809, "m": "x"}]'))).toEqual({
    ...{ columns: ["n", "m"], length: 2 },
    rows: [["0.100000000000000001", ""], ["9223372036854775809", "x"]],
  });
  expect(tableOf(3)).toBeNull();
  expect(stringify(valueOf("[0.100000000000000001]"))).toBe("[0.100000000000000001]");
  expect(valueOf("{a: 1}")).toBeUndefined();
});

test("what is left of a key's time", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  expect(timeLeft("2026-06-03T03:00:00Z", now)).toEqual({ unit: "days", large: 2, small: 3 });
  expect(timeLeft("2026-06-01T00:01:05Z", now)).toEqual({ unit: "minutes", large: 1, small: 5 });
  expect(timeLeft("2026-06-01T00:00:00Z", now)).toBeNull();
});

test("only rows near the ones that are looked at are drawn", () => {
  expect(windowOf(50_000, 40, 400_000, 400)).toEqual({ from: 9_990, upto: 10_020 });
  expect(windowOf(3, 40, 0, 400)).toEqual({ from: 0, upto: 3 });
});

describe("an export", () => {
  const lines = ['{"kind":"export","format":1}', '{"kind":"key","namespace":"n","key":"a","value":0.100000000000000001}', '{"kind":"end","keys":1,"links":0}'];
  const stream = (text: string) => new Blob([text]).stream();

  test("is given when it is whole", async () => {
    const whole = `${lines.join("\n")}\n`;
    const { parts, lines: count } = await readExport(stream(whole), () => undefined);
    expect(count).toBe(1);
    expect(await new Blob(parts).text()).toBe(whole);
  });

  test("is broken without its last line, and with another number of lines", async () => {
    await expect(readExport(stream(`${lines.slice(0, 2).join("\n")}\n`), () => undefined)).rejects.toThrow(BrokenExport);
    await expect(readExport(stream(`${[lines[0], lines[2]].join("\n")}\n`), () => undefined)).rejects.toThrow(BrokenExport);
  });

  test("is put into another namespace without losing a digit", async () => {
    const moved = await intoNamespace(lines.join("\n"), "m");
    expect(moved.split("\n")[1]).toBe('{"kind":"key","namespace":"m","key":"a","value":0.100000000000000001}');
    expect(moved.split("\n")[2]).toBe(lines[2]);
  });
});
