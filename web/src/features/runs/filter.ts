/** What the list of runs is narrowed to, as it stands in the address; and the same for an operation over all that match. */
import { isObject, type JsonObject, parse } from "../../json/json";

export const RUN_STATUSES = ["pending", "leased", "succeeded", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const TEXTS = ["prefix", "key", "error", "payload", "since", "until"] as const;
type Text = (typeof TEXTS)[number];

export type RunFilter = { status?: RunStatus } & Partial<Record<Text, string>>;

export function runStatus(value: unknown): RunStatus | undefined {
  return RUN_STATUSES.find((status) => status === value);
}

/** The filter of an address; what is not valid there is left out. */
export function runFilter(search: Readonly<Record<string, unknown>>): RunFilter {
  const status = runStatus(search.status);
  const texts = TEXTS.flatMap((name) => {
    const given = search[name];
    const text = typeof given === "string" ? given.trim().slice(0, name === "payload" ? 2000 : 256) : "";
    const valid = text !== "" && (name !== "since" && name !== "until" ? true : !Number.isNaN(Date.parse(text)));
    return valid ? [[name, text]] : [];
  });
  return { ...(status && { status }), ...(Object.fromEntries(texts) as Partial<Record<Text, string>>) };
}

/** What a payload must contain; nothing when it is not a JSON object (yet). */
export function payloadOf(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const value = parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isFiltered = (filter: RunFilter): boolean => Object.keys(filter).length > 0;

/** What the server is asked for; a payload that is being typed does not narrow yet. */
export function asked({ payload, ...filter }: RunFilter): RunFilter {
  return { ...filter, ...(payload !== undefined && payloadOf(payload) && { payload }) };
}

/** The same filter for an operation. To retry, without a status, means those that failed. */
export function bulkRuns(kind: "runs.retry" | "runs.cancel" | "runs.delete", filter: RunFilter): Record<string, unknown> {
  const { payload, ...rest } = filter;
  const contained = payloadOf(payload);
  return { ...(kind === "runs.retry" && { status: "failed" }), ...rest, ...(contained && { payload: contained }) };
}
