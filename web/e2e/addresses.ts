/** Every page of the console by its address: the plain ones, and one of each kind that is about something. */
import { call, fresh, TENANT } from "./console";

export const PAGES = [
  ...["/", "/inbox", "/documents", "/documents/new", "/processes", "/processes?stuck=true", "/you"],
  ...["/health", "/deliveries", "/deliveries?queue=effects&status=dead_letter", "/deliveries?queue=engine", "/runs", "/runs?status=failed&error=x", "/data", "/data?namespace=exchange-rate", "/data/links", "/sessions", "/sessions/new", "/schedules", "/schedules?schedule=nightly-bank-import"],
  ...["/workflows", "/automations", "/parts", "/parts?open=orders", "/parts?tab=rules&open=", "/parts?tab=secrets&open=", "/parts?tab=chart"],
  ...["/users", "/users?user=ben", "/roles", "/roles?role=finance", "/tokens", "/audit", "/settings", "/nowhere"],
];

/** One run of each kind that looks different. */
export async function runPages(): Promise<string[]> {
  const found = await Promise.all(
    ["status=failed", "status=leased", "prefix=demo.order"].map((query) =>
      call<{ items: { id: string }[] }>("GET", `/v1/${TENANT}/runs?limit=1&${query}`),
    ),
  );
  return found.flatMap(({ items }) => items.map(({ id }) => `/runs/${id}`));
}

/** A document that people are asked about, everything that is told of it, and its process. */
export async function workPages(): Promise<string[]> {
  const { items } = await call<{ items: { id: string; document_id: string | null }[] }>("GET", `/v1/${TENANT}/processes?status=running&workflow_id=invoice&limit=1`);
  return items.flatMap(({ id, document_id }) => [
    ...["", "?tab=versions", "?tab=decisions", "/story"].map((part) => `/documents/${document_id}${part}`),
    ...["", "?at=0"].map((part) => `/processes/${id}${part}`),
  ]);
}

/** What an operator opens: a delivery that died, a session that asks, a key with its history and its editor, an operation, links. */
export async function operatePages(): Promise<string[]> {
  const namespace = fresh("every-page");
  await call("POST", `/v1/${TENANT}/data/set`, { namespace, entries: [{ key: "a", value: { rate: 1.5, of: ["a", "b"] } }] });
  const dead = await call<{ items: { id: string }[] }>("GET", `/v1/${TENANT}/effects?status=dead_letter&limit=1`);
  const sessions = await call<{ items: { session_name: string }[] }>("GET", `/v1/${TENANT}/sessions?status=waiting_for_input&limit=1`);
  const links = await call<{ items: { left_type: string; left_id: string }[] }>("GET", `/v1/${TENANT}/links?namespace=erp&limit=1`);
  const operation = await call<{ id: string }>("POST", `/v1/${TENANT}/operations`, { kind: "runs.retry", filter: { prefix: "no.such." } });
  const workflows = await call<{ published_id: string | null }[]>("GET", `/v1/${TENANT}/workflows`);
  const published = workflows.find(({ published_id }) => published_id)?.published_id;
  return [
    ...dead.items.map(({ id }) => `/deliveries?queue=effects&status=dead_letter&item=${id}`),
    ...sessions.items.flatMap(({ session_name: name }) => ["", "?tab=graph", "?tab=history"].map((part) => `/sessions/${name}${part}`)),
    ...["", "&tab=history", "&tab=edit", "&view=table"].map((part) => `/data?namespace=${namespace}&key=a${part}`),
    ...links.items.map(({ left_type, left_id }) => `/data/links?namespace=erp&record=${encodeURIComponent(`${left_type}/${left_id}`)}`),
    `/operations/${operation.id}`,
    ...(published ? [`/workflows/${published}`] : []),
  ];
}

export const everyPage = async (): Promise<string[]> => [...PAGES, ...(await runPages()), ...(await workPages()), ...(await operatePages())];
