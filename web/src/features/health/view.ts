/** Which queue and which span of time are looked at, as it stands in the address; and what the figures mean. */
import { formats } from "../../i18n/formats";
import { approximate, type JsonNumber } from "../../json/exact";

export const QUEUES = ["runs", "engine", "effects", "outbox", "sessions"] as const;
export type Queue = (typeof QUEUES)[number];
export const SPANS = ["5m", "1h", "24h"] as const;
export type Span = (typeof SPANS)[number];

export interface HealthView {
  queue?: Queue;
  span?: Span;
  /** Whose workflow is drawn with its heat. */
  flow?: string;
}

export function healthView(search: Readonly<Record<string, unknown>>): HealthView {
  const queue = QUEUES.find((each) => each === search.queue);
  const span = SPANS.find((each) => each === search.span);
  const flow = typeof search.flow === "string" && /^[a-z][a-z0-9_]*$/.test(search.flow) ? search.flow : undefined;
  return { ...(queue && { queue }), ...(span && { span }), ...(flow && { flow }) };
}

/** So long nothing waits where somebody works: what is due for longer is not taken up. */
const LATE_SECONDS = 300;

/** How a queue is: something died, hangs or is not taken up, something waits, or all is well. */
export function stateOf(queue: { stuck: number; dead: number; pending: number; oldest_seconds: JsonNumber | null }): "bad" | "late" | "busy" | "good" {
  if (queue.stuck > 0 || queue.dead > 0) return "bad";
  if (queue.pending > 0 && queue.oldest_seconds !== null && approximate(queue.oldest_seconds) >= LATE_SECONDS) return "late";
  return queue.pending > 0 ? "busy" : "good";
}

/** Seconds as people say them: "40 ms", "1.2 s", "3 min 5 s". */
export function seconds(given: JsonNumber | null, language = formats()): string {
  if (given === null) return "–";
  const value = Math.max(0, approximate(given));
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${(Math.round(value * 10) / 10).toLocaleString(language)} s`;
  const whole = Math.round(value);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

interface Counted {
  finished: number;
  errors: number;
}

/** What a chart adds up to: the figure above it, and the last line of its table. */
export function summed(points: readonly Counted[]): Counted {
  return points.reduce((sum, { finished, errors }) => ({ finished: sum.finished + finished, errors: sum.errors + errors }), { finished: 0, errors: 0 });
}

/** The types that wait, and that nobody who is running executes. */
export function unhandled<Type extends { handled: boolean; ready: number; delayed: number; blocked: number }>(types: readonly Type[]): Type[] {
  return types.filter(({ handled, ready, delayed, blocked }) => !handled && ready + delayed + blocked > 0);
}
