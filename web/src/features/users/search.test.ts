import { expect, test } from "vitest";
import { findUsers, initials, isName } from "./search";

const USERS = [
  { name: "ana", display_name: "Ana Duarte", email: "ana@northwind.example", roles: ["admin"] },
  { name: "ivo", display_name: "Ivo Sørensen-Groß", email: null, roles: ["viewer"] },
  { name: "chloe", display_name: "Chloé Martin", email: null, roles: ["author", "finance"] },
];
const names = (wanted: string) => findUsers(USERS, wanted).map((user) => user.name);

test("people are found by name, display name, address and role, without accents and in any case", () => {
  expect(names("CHLOE mart")).toEqual(["chloe"]);
  expect(names("Chloé")).toEqual(["chloe"]);
  expect(names("northwind")).toEqual(["ana"]);
  expect(names("finance")).toEqual(["chloe"]);
  expect(names("  ")).toEqual(["ana", "ivo", "chloe"]);
  expect(names("sorensen gross")).toEqual(["ivo"]);
  expect(names("SØREN")).toEqual(["ivo"]);
  expect(names("ana finance")).toEqual([]);
});

test("names follow the server's rule", () => {
  for (const good of ["a", "ana", "erp-sync", "a.b_c@d+e", "A1"]) expect(isName(good)).toBe(true);
  for (const bad of ["", "-a", "a-", "a b", "ä", "a/b", "a".repeat(256)]) expect(isName(bad)).toBe(false);
});

test("initials stand for a name of any shape", () => {
  expect(["Ana Duarte", "erp-sync", "ana", "Maria da Silva", "", "émile zola"].map(initials)).toEqual([
    "AD",
    "ES",
    "A",
    "MS",
    "?",
    "ÉZ",
  ]);
});
