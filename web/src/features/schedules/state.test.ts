import { expect, test } from "vitest";
import { checkPayload, inZone, presetOf, PRESETS, timeZones } from "./state";

test("an expression is recognised as the preset it came from", () => {
  for (const cron of Object.values(PRESETS)) expect(PRESETS[presetOf(cron) ?? "daily"]).toBe(cron);
  expect(presetOf(" @hourly ")).toBe("hourly");
  expect(presetOf("1 2 3 4 5")).toBeNull();
});

test("times are shown as the clocks of the schedule's zone show them", () => {
  expect(inZone("2026-06-10T00:30:00Z", "Europe/Berlin", "en-GB")).toBe("10 Jun 2026, 02:30");
  expect(inZone("2026-06-10T00:30:00Z", "America/New_York", "en-GB")).toBe("9 Jun 2026, 20:30");
  expect(inZone("2026-06-10T00:30:00Z", "Mars/Olympus", "en-GB")).toBe("10 Jun 2026, 00:30 UTC");
});

test("UTC comes first among the time zones, once", () => {
  expect(timeZones()[0]).toBe("UTC");
  expect(timeZones().filter((zone) => zone === "UTC")).toHaveLength(1);
  expect(timeZones()).toContain("Europe/Berlin");
});

test("a payload is any JSON, and nothing stands for an empty object", () => {
  expect(checkPayload("  ")).toEqual({ ok: true, value: {} });
  expect(checkPayload('{"a": [1]}')).toEqual({ ok: true, value: { a: [1] } });
  expect(checkPayload("{a}")).toEqual({ ok: false });
});
