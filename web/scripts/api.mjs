/**
 * Stores the OpenAPI description of a running server and generates the types of its interface from it:
 * `npm run api` (HOLDFAST_URL names the server, http://127.0.0.1:8400 by default). With `--stored` only the types are
 * generated again, from the description that is there.
 */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const server = process.env.HOLDFAST_URL ?? "http://127.0.0.1:8400";
const description = process.argv.includes("--stored") ? JSON.parse(await readFile("openapi.json", "utf8")) : await ask();

async function ask() {
  const answer = await fetch(new URL("/openapi.json", server));
  if (!answer.ok) throw new Error(`${server}/openapi.json answered ${answer.status}`);
  const told = await answer.json();
  await writeFile("openapi.json", `${JSON.stringify(told, null, 2)}\n`);
  return told;
}

/** Numbers with fractions are read exactly, so they are no plain numbers; whole ones are. */
const exact = ts.factory.createTypeReferenceNode("JsonNumber");
const types = await openapiTS(description, {
  defaultNonNullable: false,
  inject: 'import type { JsonNumber } from "../json/exact";\n',
  transform: (schema) => (schema.type === "number" ? exact : undefined),
});
await writeFile("src/api/schema.d.ts", `/* Generated from openapi.json by \`npm run api\`. */\n\n${astToString(types)}`);
