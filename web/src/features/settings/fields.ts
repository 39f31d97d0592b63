/** A tenant's settings as the fields that holdfast reads, and the rest, which is the tenant's own. Nothing that was there is lost. */
import { isObject } from "../../json/json";
import type { Settings } from "./json";

export const SWITCHES = ["four_eyes_on_publishing", "four_eyes_on_grants", "audit_reads"] as const;
export type Switch = (typeof SWITCHES)[number];
/** Whoever could switch these off alone could do alone what takes two: only the operator of the database can. */
export const STAYS_ON: ReadonlySet<Switch> = new Set(["four_eyes_on_publishing", "four_eyes_on_grants"]);

export interface Fields {
  /** As it is typed; empty: the customary one. */
  weight: string;
  service_account: string;
  switches: Readonly<Record<Switch, boolean>>;
}

const NAMES: ReadonlySet<string> = new Set([...SWITCHES, "weight", "service_account"]);

/** What has a field, as far as the field can hold what is there; everything else is left to the rest. */
export function fieldsOf(settings: Settings): { fields: Fields; rest: Settings } {
  const { weight, service_account } = settings;
  const held = (name: string, value: unknown) =>
    name === "weight" ? typeof value === "number" : name === "service_account" ? typeof value === "string" : typeof value === "boolean";
  return {
    fields: {
      weight: typeof weight === "number" ? String(weight) : "",
      service_account: typeof service_account === "string" ? service_account : "",
      switches: Object.fromEntries(SWITCHES.map((name) => [name, settings[name] === true])) as Record<Switch, boolean>,
    },
    rest: Object.fromEntries(Object.entries(settings).filter(([name, value]) => !NAMES.has(name) || !held(name, value))),
  };
}

/** The settings that fields and rest make; what was never said stays unsaid. */
export function settingsOf(fields: Fields, rest: Settings, before: Settings): Settings {
  const weight = weightOf(fields.weight);
  const account = fields.service_account.trim();
  return {
    ...rest,
    ...(typeof weight === "number" && { weight }),
    ...(account !== "" && { service_account: account }),
    ...Object.fromEntries(SWITCHES.flatMap((name) => (fields.switches[name] || (typeof before[name] === "boolean" && !(name in rest)) ? [[name, fields.switches[name]]] : []))),
  };
}

/** A weight that was typed: null when there is none, undefined when it is none. */
export function weightOf(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const weight = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return weight >= 1 && weight <= 1000 ? weight : undefined;
}

/** The first name in the rest that a field says already. */
export function saidTwice(fields: Fields, rest: unknown): string | null {
  if (!isObject(rest)) return null;
  const said = new Set<string>([...(fields.weight.trim() ? ["weight"] : []), ...(fields.service_account.trim() ? ["service_account"] : []), ...SWITCHES.filter((name) => fields.switches[name])]);
  return Object.keys(rest).find((name) => said.has(name)) ?? null;
}
