/**
 * Stores the OpenAPI description of a running server and generates the types of its interface from it:
 * `npm run api` (HOLDFAST_URL names the server, http://127.0.0.1:8400 by default).
 */
import { writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const server = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";
const answer = await fetch(new URL("/openapi.json", server));
if (!answer.ok) throw new Error(`${server}/openapi.json answered ${answer.status}`);
const description = await answer.json();

await writeFile("openapi.json", `${JSON.stringify(description, null, 2)}\n`);
const types = astToString(await openapiTS(description, { defaultNonNullable: false }));
await writeFile("src/api/schema.d.ts", `/* Generated from openapi.json by \`npm run api\`. */\n\n${types}`);
