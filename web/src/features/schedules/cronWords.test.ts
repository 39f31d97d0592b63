import { expect, test } from "vitest";
import { meaningOf } from "./cronWords";

test.each([
  ["* * * * *", { kind: "minutes", count: 1 }],
  ["*/15 * * * *", { kind: "minutes", count: 15 }],
  ["5 * * * *", { kind: "hourly", minute: 5 }],
  ["0 */6 * * *", { kind: "hours", count: 6, minute: 0 }],
  ["30 2 * * *", { kind: "daily", hour: 2, minute: 30 }],
  ["0 9 * * 1-5", { kind: "weekdays", hour: 9, minute: 0 }],
  ["0 9 * * mon-fri", { kind: "weekdays", hour: 9, minute: 0 }],
  ["0 9 * * 7,mon", { kind: "weekly", days: [1, 0], hour: 9, minute: 0 }],
  ["0 18 L * *", { kind: "last", hour: 18, minute: 0 }],
  ["@daily", { kind: "daily", hour: 0, minute: 0 }],
  ["@weekly", { kind: "weekly", days: [0], hour: 0, minute: 0 }],
  ["0 9 1 6 *", { kind: "yearly", dates: [[6, 1]], hour: 9, minute: 0 }],
  ["30 8 1 jan,jul *", { kind: "yearly", dates: [[1, 1], [7, 1]], hour: 8, minute: 30 }],
  ["0 0 1,15 * *", { kind: "monthly", days: [1, 15], hour: 0, minute: 0 }],
])("%s is said in words", (cron, meaning) => expect(meaningOf(cron)).toEqual(meaning));

test.each(["*/7 * * * *", "0 0 1 * 1", "0 9 30 2 *", "0 9 * 6 *", "0 18 L * fri", "0 25 * * *", "0 9 * * fri-mon", "@often", "0 9 * * *  extra", ""])(
  "%s is left as it is written: words would say something else",
  (cron) => expect(meaningOf(cron)).toBeNull(),
);
