/** What can be said about a schedule, and what a form may offer, without asking the server. */
import type { Schedule } from "../../api/types";
import { formats } from "../../i18n/formats";
import { parse } from "../../json/json";

export type ScheduleState = Schedule["state"];

export const STATE_COLORS: Record<ScheduleState, string> = {
  active: "kelp",
  paused: "ochre",
  ended: "slate",
  broken: "rust",
};

export const MISSED = ["once", "skip", "all"] as const;
export const OVERLAPS = ["allow", "skip"] as const;

/** Expressions to begin with; what each means is in the language files. */
export const PRESETS = {
  quarter_hour: "*/15 * * * *",
  hourly: "@hourly",
  daily: "0 8 * * *",
  weekdays: "0 8 * * mon-fri",
  weekly: "0 8 * * mon",
  month_start: "0 8 1 * *",
  month_end: "0 18 L * *",
} as const;
export type Preset = keyof typeof PRESETS;

export function presetOf(cron: string): Preset | null {
  return (Object.keys(PRESETS) as Preset[]).find((name) => PRESETS[name] === cron.trim()) ?? null;
}

/** The time zones the browser knows, UTC first. */
export function timeZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** An instant as the clocks of a time zone show it; a zone the browser does not know is shown in UTC, and says so. */
export function inZone(at: string, timeZone: string, locales = formats()): string {
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  const time = new Date(at);
  try {
    return time.toLocaleString(locales, { ...style, timeZone });
  } catch {
    return `${time.toLocaleString(locales, { ...style, timeZone: "UTC" })} UTC`;
  }
}

export type CheckedPayload = { ok: true; value: unknown } | { ok: false };

export function checkPayload(text: string): CheckedPayload {
  if (text.trim() === "") return { ok: true, value: {} };
  try {
    return { ok: true, value: parse(text) };
  } catch {
    return { ok: false };
  }
}
