// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { stringify } from "../json/json";
import { api, sent } from "./client";
import { Problem } from "./problem";

const TEXT = '{"settings":{"limit":12500.10,"rate":0.100000000000000001}}';

const answering = (body: string | null, init: ResponseInit) => {
  const seen: string[] = [];
  const fetch = async (request: Request) => {
    seen.push(await request.text());
    return new Response(body, init);
  };
  return { fetch, seen };
};

test.each<Record<string, string>>([{}, { "Content-Length": String(TEXT.length) }])("what is fetched and sent keeps every digit %j", async (headers) => {
  const { fetch, seen } = answering(TEXT, { headers: { "Content-Type": "application/json", ...headers } });
  const params = { path: { tenant: "northwind" } };
  const read = await sent(api.GET("/v1/{tenant}", { params, fetch }));
  expect(stringify(read)).toBe(TEXT);
  await sent(api.PATCH("/v1/{tenant}", { params, body: { settings: read.settings }, fetch }));
  expect(seen.at(-1)).toBe(TEXT);
});

test("an answer without a body is no problem", async () => {
  const { fetch } = answering(null, { status: 204 });
  const params = { path: { tenant: "northwind", token_id: "t" } };
  await expect(sent(api.DELETE("/v1/{tenant}/tokens/{token_id}", { params, fetch }))).resolves.toBeUndefined();
});

test("what the server refuses is thrown as a problem", async () => {
  const { fetch } = answering('{"code": "conflict", "detail": "12500.10 is too much"}', { status: 409 });
  await expect(sent(api.GET("/v1/me", { fetch }))).rejects.toEqual(
    new Problem({ code: "conflict", status: 409, detail: "12500.10 is too much" }),
  );
});
