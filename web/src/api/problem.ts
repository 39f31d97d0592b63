/**
 * What went wrong, as one type for the whole console: a problem document of the server, an answer that is none (a proxy's
 * error page, say), or no answer at all. `code` is what the interface decides by; `detail` and `hint` are the server's words.
 */

export interface FieldProblem {
  field: string;
  message: string;
}

interface Facts {
  code: string;
  status: number;
  detail?: string;
  hint?: string;
  field?: string;
  permission?: string;
  errors?: FieldProblem[];
}

export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly permission: string | undefined;
  readonly fields: readonly FieldProblem[];

  constructor(facts: Facts) {
    super(facts.detail ?? facts.code);
    this.name = "Problem";
    this.code = facts.code;
    this.status = facts.status;
    this.detail = facts.detail;
    this.hint = facts.hint;
    this.permission = facts.permission;
    this.fields =
      facts.errors ?? (facts.field && facts.detail ? [{ field: facts.field, message: facts.detail }] : []);
  }
}

/** Reads the body of an answer that was no success. */
export function problemFrom(status: number, body: unknown): Problem {
  if (!isRecord(body) || typeof body.code !== "string") {
    return new Problem({ code: "bad_answer", status, detail: `HTTP ${status}` });
  }
  return new Problem({
    code: body.code,
    status,
    detail: text(body.detail),
    hint: text(body.hint),
    field: text(body.field),
    permission: text(body.permission),
    errors: listed(body.errors) ?? listed(body.problems),
  });
}

/** Any thrown value as a problem; what is not ours means that no answer came. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem({ code: "unreachable", status: 0 });
}

/** What a problem says about the fields of a form: those it has, by name; the rest stays a problem of the whole form. */
export function fieldErrors(problem: Problem, known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { field, message } of problem.fields) {
    if (known.includes(field)) found[field] ??= message;
  }
  return found;
}

/** Whether asking again could help: the server was away or failed, not: it said no. */
export function worthRetrying(problem: Problem): boolean {
  return problem.status === 0 || problem.status === 429 || problem.status >= 500;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong field by field: requests name a `field`, documents a `path`; both are dotted. */
function listed(given: unknown): FieldProblem[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const found = given
    .map((each: unknown) => (isRecord(each) && typeof each.path === "string" ? { ...each, field: each.path } : each))
    .filter(isFieldProblem);
  return found.length > 0 ? found : undefined;
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return isRecord(value) && typeof value.field === "string" && typeof value.message === "string";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
