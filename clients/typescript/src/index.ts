/**
 * A typed client of holdfast's HTTP interface: every route of the OpenAPI description, by its path.
 *
 *     const client = createHoldfast("https://holdfast.example", { token: "holdfast_…" });
 *     const { id } = await data(client.POST("/v1/{tenant}/runs", {
 *       params: { path: { tenant: "acme" }, header: { "Idempotency-Key": "order-7" } },
 *       body: { type: "billing.charge.v1", payload: { order: 7 } },
 *     }));
 *
 * An answer that is no success is thrown as a `Problem`. `schema.ts` is generated: `npm run generate`.
 */
import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

/** What the server says of something that went wrong: RFC 9457, with a stable `code`. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  /** Everything the document holds. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(status: number, document: Record<string, unknown>) {
    super(text(document.detail) ?? text(document.title) ?? `the server answered ${status}`);
    this.name = "Problem";
    this.status = status;
    this.code = text(document.code) ?? "unknown";
    this.hint = text(document.hint);
    this.field = text(document.field);
    this.document = document;
  }
}

export interface Options {
  /** An API token, or what gives one for each request. */
  token: string | (() => string | Promise<string>);
  /** Instead of the platform's own. */
  fetch?: (request: Request) => Promise<Response>;
}

export type Holdfast = Client<paths>;

/** A client of a server. */
export function createHoldfast(url: string, options: Options): Holdfast {
  const client = createClient<paths>({ baseUrl: url, ...(options.fetch ? { fetch: options.fetch } : {}) });
  client.use(signedIn(options.token), successful);
  return client;
}

/** The data of an answer; what is no success was thrown before. */
export async function data<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  return (await answer).data as Data;
}

type Page<Item> = { items: Item[]; next_cursor?: string | null };

/** Every item of a list, page after page. */
export async function* every<Item>(
  page: (cursor: string | undefined) => Promise<{ data?: Page<Item> }>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const found = await data(page(cursor));
    yield* found.items;
    cursor = found.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function signedIn(token: Options["token"]): Middleware {
  return {
    async onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
      return request;
    },
  };
}

const successful: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    const told: unknown = await response.json().catch(() => ({}));
    throw new Problem(response.status, typeof told === "object" && told !== null ? { ...told } : {});
  },
};

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
