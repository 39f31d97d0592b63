import { expect, test } from "vitest";
import { fieldsOf, saidTwice, settingsOf, weightOf } from "./fields";

const GIVEN = { weight: 3, audit_reads: false, service_account: "robot", document_roles: { invoice: { read: ["finance"] } }, own: [1] };

test("what is not changed comes out as it went in", () => {
  for (const settings of [{}, GIVEN, { weight: "heavy", four_eyes_on_grants: true, audit_reads: "yes" }]) {
    const { fields, rest } = fieldsOf(settings);
    expect(settingsOf(fields, rest, settings)).toEqual(settings);
  }
});

test("fields take what they can hold, and leave the rest", () => {
  const { fields, rest } = fieldsOf(GIVEN);
  expect(fields).toMatchObject({ weight: "3", service_account: "robot", switches: { audit_reads: false } });
  expect(Object.keys(rest)).toEqual(["document_roles", "own"]);
  expect(settingsOf({ ...fields, weight: "", switches: { ...fields.switches, audit_reads: true } }, rest, GIVEN)).toEqual({ service_account: "robot", audit_reads: true, document_roles: GIVEN.document_roles, own: [1] });
});

test("a weight is a whole number from 1 to 1000", () => {
  expect(["", "1", "1000", "0", "1001", "2.5", "x"].map(weightOf)).toEqual([null, 1, 1000, undefined, undefined, undefined, undefined]);
});

test("what has a field is not said a second time", () => {
  const { fields } = fieldsOf(GIVEN);
  expect(saidTwice(fields, { weight: 5 })).toBe("weight");
  expect(saidTwice(fields, { own: 1 })).toBeNull();
});
