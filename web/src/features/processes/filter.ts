/** Which processes are listed, and what of one is looked at, as it stands in the address. */

export const PROCESS_STATUSES = ["running", "paused", "completed", "cancelled", "failed"] as const;
export type ProcessStatus = (typeof PROCESS_STATUSES)[number];

export interface ProcessFilter {
  status?: ProcessStatus;
  workflow?: string;
  /** Only those that an operator should look at. */
  stuck?: true;
}

export function processFilter(search: Readonly<Record<string, unknown>>): ProcessFilter {
  const status = PROCESS_STATUSES.find((each) => each === search.status);
  const workflow = typeof search.workflow === "string" && /^[\w:.-]{1,128}$/.test(search.workflow) ? search.workflow : undefined;
  return { ...(status && { status }), ...(workflow && { workflow }), ...(search.stuck === true && { stuck: true as const }) };
}

export interface InstanceView {
  /** The step that is open. */
  step?: string;
  /** Which moment of its history is shown, counted from the first; the present when none is named. */
  at?: number;
}

export function instanceView(search: Readonly<Record<string, unknown>>): InstanceView {
  const at = typeof search.at === "number" && Number.isSafeInteger(search.at) && search.at >= 0 ? search.at : undefined;
  const step = typeof search.step === "string" && search.step.length <= 300 && search.step !== "" ? search.step : undefined;
  return { ...(step && { step }), ...(at !== undefined && { at }) };
}
