import { describe, expect, test } from "vitest";
import { byDay, calendarDay, exactTime, nearDay, relativeTime } from "./time";

const NOW = new Date("2026-06-10T12:00:00");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe("relative time", () => {
  test("takes the unit that says most", () => {
    const told = [5, 61, 3599, 3600, 86_400, 3 * 86_400, 89.9 * 86_400, 150 * 86_400, 800 * 86_400].map((seconds) =>
      relativeTime(ago(seconds), NOW, "en"),
    );
    expect(told).toEqual([
      "now",
      "1 minute ago",
      "59 minutes ago",
      "1 hour ago",
      "yesterday",
      "3 days ago",
      "90 days ago",
      "5 months ago",
      "2 years ago",
    ]);
  });

  test("looks ahead and speaks the language of the interface", () => {
    expect(relativeTime(ago(-7200), NOW, "en")).toBe("in 2 hours");
    expect(relativeTime(ago(180), NOW, "de")).toBe("vor 3 Minuten");
    expect(relativeTime(ago(180), NOW, "pt")).toBe("há 3 minutos");
  });
});

test("dates follow the locale of the browser", () => {
  expect(exactTime(NOW, "de-DE")).toBe("10.06.2026, 12:00:00");
  expect(calendarDay(NOW, "en-GB")).toContain("10 June 2026");
});

test("events are cut into the viewer's own days, in the order given", () => {
  const at = (local: string) => ({ created_at: new Date(local).toISOString() });
  const days = byDay([at("2026-06-10T00:00:01"), at("2026-06-09T23:59:59"), at("2026-06-09T08:00:00")]);
  expect(days.map((day) => [day.date, day.items.length])).toEqual([
    ["2026-06-10", 1],
    ["2026-06-09", 2],
  ]);
  expect(byDay([])).toEqual([]);
});

test("today and yesterday are known, also across months", () => {
  expect(nearDay("2026-06-10", NOW)).toBe("today");
  expect(nearDay("2026-06-09", NOW)).toBe("yesterday");
  expect(nearDay("2026-06-08", NOW)).toBeNull();
  expect(nearDay("2026-05-31", new Date("2026-06-01T10:00:00"))).toBe("yesterday");
});
