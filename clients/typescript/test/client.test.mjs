/** Against a running server: HOLDFAST_URL and HOLDFAST_TOKEN, of the tenant `acme`; `tests/client` starts one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { Problem, createHoldfast, data, every } from "../dist/index.js";

const client = createHoldfast(process.env.HOLDFAST_URL, { token: process.env.HOLDFAST_TOKEN });
const path = { tenant: "acme" };
/** So that it can be done again on the same server. */
const once = `t${Date.now().toString(36)}`;

test("a run is enqueued once for a key, found by it, and cancelled", async () => {
  const enqueue = () =>
    data(
      client.POST("/v1/{tenant}/runs", {
        params: { path, header: { "Idempotency-Key": once } },
        body: { type: "billing.charge.v1", payload: { order: 7 } },
      }),
    );
  const made = await enqueue();
  assert.deepEqual([made.created, (await enqueue()).id], [true, made.id]);
  const found = await data(client.GET("/v1/{tenant}/runs", { params: { path, query: { key: once } } }));
  assert.deepEqual(found.items.map((run) => run.id), [made.id]);
  const gone = await data(
    client.POST("/v1/{tenant}/runs/{run_id}/cancel", { params: { path: { ...path, run_id: made.id } }, body: { reason: "a test" } }),
  );
  assert.equal(gone.status, "cancelled");
});

test("a list is read to its end, page after page", async () => {
  for (let n = 0; n < 5; n += 1) {
    await client.POST("/v1/{tenant}/runs", { params: { path }, body: { type: `${once}.work.v1`, payload: { n } } });
  }
  const seen = [];
  const page = (cursor) => client.GET("/v1/{tenant}/runs", { params: { path, query: { prefix: `${once}.`, limit: 2, cursor } } });
  for await (const run of every(page)) seen.push(run.id);
  assert.equal(new Set(seen).size, 5);
});

test("a key is written with its revision, and a stale one is a problem with its code", async () => {
  const query = { namespace: "n", key: once };
  const put = (value, if_revision) =>
    data(client.PUT("/v1/{tenant}/data/entry", { params: { path, query }, body: { value, if_revision } }));
  const first = await put(1, 0);
  await assert.rejects(put(2, 0), (error) => error instanceof Problem && error.status === 409 && error.code === "revision_mismatch");
  assert.equal((await put(2, first.revision)).created, false);
});

test("a number keeps every digit when it is read and written by something that can", async () => {
  const exact = createHoldfast(process.env.HOLDFAST_URL, { token: process.env.HOLDFAST_TOKEN, json: { parse, stringify } });
  const query = { namespace: "n", key: `${once}-exact` };
  const amount = "12345678901234567890.12";
  const value = { amount: new LosslessNumber(amount), "…": "é" };
  await exact.PUT("/v1/{tenant}/data/entry", { params: { path, query }, body: { value } });
  const told = await data(exact.GET("/v1/{tenant}/data/entry", { params: { path, query } }));
  assert.ok(isLosslessNumber(told.value.amount));
  assert.deepEqual([String(told.value.amount), told.value["…"]], [amount, "é"]);
  const rounded = await data(client.GET("/v1/{tenant}/data/entry", { params: { path, query } }));
  assert.equal(rounded.value.amount, Number(amount));
  const gone = await exact.DELETE("/v1/{tenant}/data/entry", { params: { path, query } });
  assert.equal(gone.response.status, 204);
  await assert.rejects(data(exact.GET("/v1/{tenant}/data/entry", { params: { path, query } })), Problem);
});

test("who is not signed in is told so", async () => {
  const nobody = createHoldfast(process.env.HOLDFAST_URL, { token: async () => "wrong" });
  await assert.rejects(data(nobody.GET("/v1/me")), (error) => error instanceof Problem && error.status === 401 && error.hint !== undefined);
});
