/** What a cron expression means, for the shapes that people write most; null for others, which are shown as they are written. */

export type CronMeaning =
  | { kind: "minutes"; count: number }
  | { kind: "hourly"; minute: number }
  | { kind: "hours"; count: number; minute: number }
  | { kind: "daily"; hour: number; minute: number }
  | { kind: "weekdays"; hour: number; minute: number }
  | { kind: "weekly"; days: readonly number[]; hour: number; minute: number }
  | { kind: "monthly"; days: readonly number[]; hour: number; minute: number }
  | { kind: "last"; hour: number; minute: number }
  | { kind: "yearly"; dates: readonly (readonly [month: number, day: number])[]; hour: number; minute: number };

const SHORT: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
/** More dates than these are a list that nobody reads. */
const MOST_DATES = 6;
const MONTHS = ["?", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const whole = (text: string, least: number, most: number): number | null => {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
};

/** `1,3-5` or `mon-fri` as the days themselves; 7 is Sunday too. */
function listed(text: string, least: number, most: number, names: readonly string[] = []): number[] | null {
  const found = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [first, last, ...rest] = part.split("-").map((each) => (names.includes(each) ? names.indexOf(each) : whole(each, least, most)));
    if (rest.length > 0 || first === null || first === undefined || last === null) return null;
    if (last !== undefined && last < first) return null;
    for (let day = first; day <= (last ?? first); day++) found.add(day);
  }
  return [...found].sort((one, other) => one - other);
}

export function meaningOf(cron: string): CronMeaning | null {
  const [minute = "", hour = "", date = "", month = "", day = "", ...rest] = (SHORT[cron.trim()] ?? cron).trim().split(/\s+/);
  if (rest.length > 0 || day === "") return null;
  if (month !== "*") return day === "*" ? yearly(minute, hour, date, month) : null;
  const everyDay = date === "*" && day === "*";
  const step = (text: string) => whole(/^\*\/(\d{1,2})$/.exec(text)?.[1] ?? "", 2, 59);
  if (hour === "*" && everyDay) {
    if (minute === "*") return { kind: "minutes", count: 1 };
    const count = step(minute);
    // Of a step that does not divide the hour the last stretch is shorter: "every 7 minutes" would not be true.
    if (count !== null) return 60 % count === 0 ? { kind: "minutes", count } : null;
    const past = whole(minute, 0, 59);
    return past === null ? null : { kind: "hourly", minute: past };
  }
  const at = whole(minute, 0, 59);
  if (at === null) return null;
  const hours = step(hour);
  if (hours !== null) return everyDay && 24 % hours === 0 ? { kind: "hours", count: hours, minute: at } : null;
  const clock = whole(hour, 0, 23);
  if (clock === null) return null;
  if (everyDay) return { kind: "daily", hour: clock, minute: at };
  if (date === "*") {
    const days = listed(day, 0, 7, NAMES)?.map((each) => each % 7);
    if (!days) return null;
    const week = [...new Set(days)].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
    return week.join() === "1,2,3,4,5" ? { kind: "weekdays", hour: clock, minute: at } : { kind: "weekly", days: week, hour: clock, minute: at };
  }
  if (day !== "*") return null;
  if (date.toLowerCase() === "l") return { kind: "last", hour: clock, minute: at };
  const dates = listed(date, 1, 31);
  return dates && { kind: "monthly", days: dates, hour: clock, minute: at };
}

function yearly(minute: string, hour: string, date: string, month: string): CronMeaning | null {
  const [at, clock, days, months] = [whole(minute, 0, 59), whole(hour, 0, 23), listed(date, 1, 31), listed(month, 1, 12, MONTHS)];
  if (at === null || clock === null || !days || !months || days.length * months.length > MOST_DATES) return null;
  const dates = months.flatMap((each) => days.map((day) => [each, day] as const));
  // The 30th of February is never.
  return dates.every(([each, day]) => day <= new Date(Date.UTC(2024, each, 0)).getUTCDate()) ? { kind: "yearly", dates, hour: clock, minute: at } : null;
}
