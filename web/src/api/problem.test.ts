import { describe, expect, test } from "vitest";
import { asProblem, fieldErrors, Problem, problemFrom, worthRetrying } from "./problem";

describe("a problem document", () => {
  test("keeps the server's words, code and field", () => {
    const problem = problemFrom(409, {
      code: "already_exists",
      detail: "there is already a user 'ana'",
      hint: "choose another name",
      field: "name",
    });
    expect(problem).toMatchObject({ code: "already_exists", status: 409, hint: "choose another name" });
    expect(fieldErrors(problem, ["name", "email"])).toEqual({ name: "there is already a user 'ana'" });
  });

  test("lists every field that validation refused, the first message of each", () => {
    const problem = problemFrom(422, {
      code: "invalid_input",
      detail: "name: Field required",
      errors: [
        { field: "name", message: "Field required" },
        { field: "name", message: "second" },
        { field: "days", message: "too small" },
        { field: 3 },
      ],
    });
    expect(fieldErrors(problem, ["name"])).toEqual({ name: "Field required" });
    expect(problem.fields).toHaveLength(3);
  });

  test("an answer that is no problem document is still a problem", () => {
    for (const body of [undefined, null, "<html>", [], { error: "x" }]) {
      expect(problemFrom(502, body)).toMatchObject({ code: "bad_answer", status: 502, detail: "HTTP 502" });
    }
  });
});

test("whatever else is thrown means that no answer came", () => {
  expect(asProblem(new TypeError("Failed to fetch"))).toMatchObject({ code: "unreachable", status: 0 });
  const own = new Problem({ code: "conflict", status: 409 });
  expect(asProblem(own)).toBe(own);
});

test("only what could go better the next time is tried again", () => {
  const statuses = [0, 401, 403, 404, 409, 422, 429, 500, 503];
  const again = statuses.filter((status) => worthRetrying(new Problem({ code: "x", status })));
  expect(again).toEqual([0, 429, 500, 503]);
});
