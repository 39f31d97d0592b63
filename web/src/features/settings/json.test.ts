import { describe, expect, test } from "vitest";
import { checkSettings, sameSettings, settingsText } from "./json";

const fault = (text: string) => {
  const checked = checkSettings(text);
  return checked.ok ? null : checked.fault;
};

describe("settings are refused, and the place is named,", () => {
  test("when they are not JSON", () => {
    expect(fault('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ kind: "not_json", line: 3, column: 3 });
    expect(fault('{"a": 1,}')).toMatchObject({ kind: "not_json", line: 1 });
    expect(fault('{"a": 1} // why')).toMatchObject({ kind: "not_json", column: 10 });
    expect(fault("")).toMatchObject({ kind: "not_json", line: 1, column: 1 });
  });

  test("when they are no object", () => {
    for (const text of ["[]", "null", "3", '"text"']) expect(fault(text)?.kind).toBe("not_object");
  });

  test("when a key is there twice in one object, but not in two", () => {
    expect(fault('{"a": 1,\n "a": 2}')).toEqual({ kind: "duplicate_key", line: 2, column: 2, subject: "a" });
    expect(fault('{"a": {"b": 1}, "c": {"b": 2}, "b": 3}')).toBeNull();
  });

  test("when they are larger than the server takes", () => {
    expect(fault(settingsText({ text: "ä".repeat(33_000) }))?.kind).toBe("too_large");
    expect(fault(settingsText({ text: "a".repeat(65_000) }))).toBeNull();
  });
});

test("what is accepted is what was written", () => {
  const settings = { approval: { limit: "10000.00", days: [1, 2] } };
  expect(checkSettings(settingsText(settings))).toEqual({ ok: true, value: settings });
  expect(sameSettings(settings, { ...settings })).toBe(true);
  expect(sameSettings(settings, {})).toBe(false);
});

test("a number keeps every digit it is written with", () => {
  const text = '{\n  "n": 12345678901234567890,\n  "limit": 12500.10,\n  "x": 0.100000000000000001\n}';
  const checked = checkSettings(text);
  expect(checked.ok && settingsText(checked.value)).toBe(text);
});
