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
  /**
   * Instead of `JSON`, which rounds: the server tells numbers with every digit, and no JavaScript number has more than
   * 17. `parse` and `stringify` of `lossless-json` keep them; what it makes of them is not what the types say.
   */
  json?: Json;
}

/** How bodies are read and written. */
export interface Json {
  parse: (text: string) => unknown;
  stringify: (value: unknown) => string | undefined;
}

export type Holdfast = Client<paths>;

/** A client of a server. */
export function createHoldfast(url: string, options: Options): Holdfast {
  const { fetch, json } = options;
  const written = json && { bodySerializer: (body: unknown) => json.stringify(body) };
  const client = createClient<paths>({ baseUrl: url, ...(fetch && { fetch }), ...written });
  client.use(signedIn(options.token));
  // Of what is done with an answer, the last is done first.
  if (json) client.use(readBy(json));
  client.use(successful);
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

function readBy(json: Json): Middleware {
  return {
    async onResponse({ response }) {
      if (!response.headers.get("Content-Type")?.startsWith("application/json")) return undefined;
      const told = await response.text();
      const headers = new Headers(response.headers);
      // It reads by itself what does not say how long it is.
      headers.set("Content-Length", String(told.length || 1));
      const { status, statusText } = response;
      const answer = new Response(told, { status, statusText, headers });
      return Object.defineProperty(answer, "json", { value: async () => json.parse(told) });
    },
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
