/**
 * The one client of the server's interface. Numbers lose no digit in either direction (see `json/`). Every answer that is no success becomes a thrown `Problem`; a credential that
 * is refused ends the session, wherever that happens.
 */
import createClient, { type Middleware } from "openapi-fetch";
import { session } from "../session/store";
import { stringify } from "../json/json";
import { exactly } from "./exactResponse";
import { asProblem, problemFrom } from "./problem";
import type { paths } from "./schema";

const credential: Middleware = {
  onRequest({ request }) {
    const { token } = session.get();
    if (token && !request.headers.has("Authorization")) request.headers.set("Authorization", `Bearer ${token}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return exactly(response);
    const body: unknown = await exactly(response)
      .json()
      .catch(() => undefined);
    const problem = problemFrom(response.status, body);
    // Only the credential in use: an answer to one that was replaced meanwhile says nothing about the new one.
    const { token } = session.get();
    if (problem.status === 401 && token && request.headers.get("Authorization") === `Bearer ${token}`) {
      session.end("refused");
    }
    throw problem;
  },
  onError({ error }) {
    return asProblem(error);
  },
};

export const api = createClient<paths>({ baseUrl: "/", bodySerializer: (body: unknown) => stringify(body) });
api.use(credential);

/** The version somebody saw of what they change, as the server wants to be told. */
export const ifSeen = (version: number) => ({ "If-Match": `"${version}"` });

/** The data of an answer; problems were thrown before. */
export async function sent<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  return (await answer).data as Data;
}
