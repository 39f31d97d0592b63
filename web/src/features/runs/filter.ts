/** What the list of runs is narrowed to, as it stands in the address. */

export const RUN_STATUSES = ["pending", "leased", "succeeded", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface RunFilter {
  status?: RunStatus;
  prefix?: string;
}

export function runStatus(value: unknown): RunStatus | undefined {
  return RUN_STATUSES.find((status) => status === value);
}

/** The filter of an address; what is not valid there is left out. */
export function runFilter(search: Readonly<Record<string, unknown>>): RunFilter {
  const status = runStatus(search.status);
  const prefix = typeof search.prefix === "string" ? search.prefix.trim().slice(0, 256) : "";
  return { ...(status && { status }), ...(prefix && { prefix }) };
}
