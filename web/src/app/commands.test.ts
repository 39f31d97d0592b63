import { describe, expect, test } from "vitest";
import { type Command, matching, pastedId } from "./commands";

const command = (name: string, kind = "Page", also = ""): Command => ({ id: name, kind, name, also, run: () => undefined });
const names = (text: string, ...all: Command[]) => matching(all, text).map(({ name }) => name);

describe("what somebody means", () => {
  const all = [command("Audit trail"), command("Chains and rules"), command("Runs"), command("demo.bank_import.v1", "Runs of a type"), command("Überfälliges ansehen", "Tun")];

  test("begins with what they typed, before what only contains it", () => {
    expect(names("ru", ...all)).toEqual(["Runs", "Chains and rules", "demo.bank_import.v1"]);
  });

  test("has every word of it, in any order and without accents", () => {
    expect(names("rules chains", ...all)).toEqual(["Chains and rules"]);
    expect(names("uberfall", ...all)).toEqual(["Überfälliges ansehen"]);
    expect(names("import runs", ...all)).toEqual(["demo.bank_import.v1"]);
    expect(names("nothing of this", ...all)).toEqual([]);
  });

  test("is everything while nothing is typed, but no more than fits", () => {
    expect(names("", ...all)).toHaveLength(5);
    expect(names("", ...Array.from({ length: 40 }, (_, at) => command(`c${at}`)))).toHaveLength(12);
  });
});

test("an id is known as one, whatever its case", () => {
  expect(pastedId(" 01A1EFB5-7A02-77AA-B6EE-53F440926CE7 ")).toBe("01a1efb5-7a02-77aa-b6ee-53f440926ce7");
  expect(pastedId("01a1efb5")).toBeNull();
});
