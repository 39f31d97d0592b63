/**
 * Times for people, as the language of the interface writes them, in the reader's region.
 */
import { formats } from "../i18n/formats";

type Locales = string | readonly string[] | undefined;

/** Each unit with its seconds, and from how many on it is used: "in 89 days" says more than "in 2 months". */
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, size: number, from: number][] = [
  ["year", 365 * 86_400, 730 * 86_400],
  ["month", 30 * 86_400, 120 * 86_400],
  ["day", 86_400, 86_400],
  ["hour", 3_600, 3_600],
  ["minute", 60, 60],
];

/** How long ago or ahead: "3 minutes ago", "in 2 days", "now". Hours and minutes are whole ones, longer spans rounded. */
export function relativeTime(then: Date, now: Date, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const seconds = (then.getTime() - now.getTime()) / 1000;
  for (const [unit, size, from] of UNITS) {
    if (Math.abs(seconds) < from) continue;
    return words.format(size >= 86_400 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
  }
  return words.format(0, "second");
}

export function exactTime(then: Date, locales: Locales = formats()): string {
  return then.toLocaleString(locales, { dateStyle: "medium", timeStyle: "medium" });
}

export function clockTime(then: Date, locales: Locales = formats()): string {
  return then.toLocaleTimeString(locales, { timeStyle: "short" });
}

export function shortDay(then: Date, locales: Locales = formats()): string {
  return then.toLocaleDateString(locales, { dateStyle: "medium" });
}

export function calendarDay(then: Date, locales: Locales = formats()): string {
  return then.toLocaleDateString(locales, { dateStyle: "full" });
}

export interface Day<Item> {
  /** The local date as 2026-06-01; also the key. */
  date: string;
  items: Item[];
}

/** Cuts a list that is in order of time into the days of the viewer. */
export function byDay<Item extends { created_at: string }>(items: readonly Item[]): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const date = localDate(new Date(item.created_at));
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}

/** Which of today, yesterday or neither a local date is. */
export function nearDay(date: string, now: Date): "today" | "yesterday" | null {
  if (date === localDate(now)) return "today";
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return date === localDate(before) ? "yesterday" : null;
}

function localDate(time: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
