import { expect, test } from "vitest";
import { tokenIn, tokenOfFragment } from "./token";

const TOKEN = `holdfast_${"0a".repeat(16)}_${"Az09x".repeat(9)}abcd`;

test("a token is found alone, in a sign-in address, and among spaces and quotes", () => {
  for (const pasted of [TOKEN, `  ${TOKEN}\n`, `"${TOKEN}"`, `http://127.0.0.1:8400/#token=${TOKEN}`]) {
    expect(tokenIn(pasted)).toBe(TOKEN);
  }
});

test("what is shorter, longer or something else is no token", () => {
  for (const pasted of ["", "holdfast_", "hello", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.replace("holdfast_", "gh_")]) {
    expect(tokenIn(pasted)).toBeNull();
  }
});

test("only a token fragment is taken from the address", () => {
  expect(tokenOfFragment(`#token=${TOKEN}`)).toBe(TOKEN);
  expect(tokenOfFragment("#token=")).toBe("");
  expect(tokenOfFragment("#token=%E0%A4%A")).toBe("%E0%A4%A");
  expect(tokenOfFragment("#section")).toBeNull();
  expect(tokenOfFragment("")).toBeNull();
});
