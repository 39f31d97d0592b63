import { createInstance } from "i18next";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVENT_KINDS } from "../features/audit/filter";
import { SENTENCES } from "../features/audit/sentence";
import { PROBLEM_CODES } from "../forms/validate";
import { areas, base, expected, filled, missing, names, read, sameAsEnglish } from "./catalogue";
import codes from "./codes.json";
import { EQUAL, EVERYWHERE } from "./equal";
import { numberOf } from "../json/exact";
import { FILLED_IN } from "./filledIn";
import { regional, setFormats } from "./formats";
import { firstLanguage, isTranslated, LANGUAGES, PSEUDO } from "./language";
import { pseudoText } from "./pseudo";
import { asked, glued, sourceFiles } from "./source";

const FOLDER = join(import.meta.dirname, "locales");
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}|<\/?(\w+)>/g)].map((hole) => hole[0]).sort();
const underscored = (code: string) => code.replaceAll(".", "_");

const english = read("en");
const files = sourceFiles();

/** The English of a message; of a plural form that English lacks, its other one. */
const original = (key: string) => english.get(key) ?? english.get(`${base(key)}_other`) ?? "";

test("there is a folder for each language and none besides, with a file for every area that the types name", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(LANGUAGES).sort());
  const named = [...readFileSync(join(import.meta.dirname, "words.ts"), "utf8").matchAll(/locales\/en\/(\w+)\.json/g)].map(([, area]) => area);
  for (const language of Object.keys(LANGUAGES)) expect(areas(language), language).toEqual(named.sort());
});

test("while a message is not translated yet, it is English when it is loaded", () => {
  const whole = filled("pl");
  for (const key of expected("pl", english)) {
    const [area = "", ...rest] = key.split(".");
    expect(whole[area]?.[rest.join(".")], key).toBeTruthy();
  }
});

describe.each(Object.keys(LANGUAGES))("%s", (language) => {
  const messages = read(language);

  test("has every message in every plural form, and none that English lacks", () => {
    expect(missing(language, english)).toEqual([]);
    const wanted = new Set(expected(language, english));
    expect([...messages.keys()].filter((key) => !wanted.has(key))).toEqual([]);
  });

  test("leaves no message empty or a piece of a sentence, and keeps what is filled in", () => {
    for (const [key, text] of messages) {
      expect(text, key).toMatch(/^\S(.*[^\s,])?$/s);
      expect(holes(text), key).toEqual(holes(original(key)));
    }
  });

  test("says nothing in English that it could say itself", () => {
    if (!isTranslated(language) || language === "en") return;
    expect(sameAsEnglish(language, english).filter((text) => !EVERYWHERE.includes(text) && !EQUAL[language].includes(text))).toEqual([]);
  });

  test("is written with the signs of its own typography", () => {
    if (language === "en") return;
    const quotes: Record<string, RegExp> = { de: /[“”«»](?<!“)|„[^“]*$/, es: /[“”„]/, fr: /[“”„]|«[^\u00a0\u202f]|[^\u00a0\u202f][:;!?»](\s|$)/, it: /[“”„]/, nl: /[“”„«»]/, pl: /[“«»]/, pt: /[„«»]/ };
    const bad = [...messages].filter(([, text]) => /["'´]/.test(text.replaceAll(/`[^`]*`/g, "")) || quotes[language]?.test(text));
    expect(bad).toEqual([]);
  });
});

test("German says du, everywhere", () => {
  expect([...read("de")].filter(([, text]) => /[a-zäöüß,] (Sie|Ihnen|Ihre?[mnrs]?)\b/.test(text))).toEqual([]);
});

describe("the catalogue and the server's codes", () => {
  const of = (area: string, prefix = "") => names(english).flatMap((key) => (key.startsWith(`${area}.${prefix}`) ? [key.slice(area.length + prefix.length + 1)] : []));

  test.each([
    ["problems of a definition", "compile", "", codes.problems.map(underscored)],
    ["refusals", "reason", "refused_", codes.refusals],
    ["failures", "reason", "failure_", codes.failures],
    ["reasons", "reason", "because_", codes.reasons],
    ["types of nodes", "canvas", "type_", codes.node_types],
    ["actions", "action", "", codes.actions.map(underscored)],
    ["why processes are stuck", "stuck", "", codes.stuck],
    ["permissions", "permission", "", codes.permissions],
  ])("%s: each has its words, and there are none for what there is not", (_, area, prefix, told) => {
    expect(of(area, prefix).sort()).toEqual([...told].sort());
  });

  test("errors have their words, and so has what the console meets on its own", () => {
    const own = ["bad_answer", "internal_error", "too_large", "unexpected", "unreachable"];
    const said = asked(files).whole;
    expect(codes.errors.concat(own).filter((code) => !english.has(`problem.${code}`))).toEqual([]);
    expect(of("problem").filter((code) => !codes.errors.includes(code) && !own.includes(code) && !said.has(`problem.${code}`))).toEqual([]);
  });

  test("waits and whys are told apart as the server does", () => {
    const waits = of("processes", "wait_").filter((code) => code !== "until" && code !== "task");
    // A moment is its own word.
    expect(waits.concat("time").sort()).toEqual([...codes.waits].sort());
    const why = { asked_by_name: "mine", asked_by_role: "role", asked_as_anyone: "anyone", asked_in_place_of: "delegated", asked_after: "after", asked_by_escalation: "escalation" };
    expect(Object.keys(why).concat("condition").sort()).toEqual([...codes.why].sort());
    expect(Object.values(why).filter((name) => !english.has(`why.${name}`))).toEqual([]);
  });

  test("there are words for every problem of a field, every event and every kind of object", () => {
    const keys = [
      ...PROBLEM_CODES.filter((code) => code !== "required").map((code) => `form.problem_${code}`),
      ...SENTENCES.map((name) => `event.${name}`),
      ...EVENT_KINDS.map((kind) => `audit.kind_${kind}`),
    ];
    expect(keys.filter((key) => !english.has(key))).toEqual([]);
  });
});

describe("the source and the catalogue", () => {
  const { whole, beginnings } = asked(files);

  test("every message is asked for somewhere", () => {
    expect(names(english).filter((key) => !whole.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)))).toEqual([]);
  });

  test("no sentence is glued together from messages", () => {
    expect(glued(files)).toEqual([]);
  });

  test("which would be seen", () => {
    const line = (code: string) => glued([{ path: "x.tsx", code }]).length;
    expect(line('return t("a.b") + until;')).toBe(1);
    expect(line('return name + t("a.b", { count: f(x) });')).toBe(1);
    expect(line('<p>{t("a.b")} {t("a.c")}</p>')).toBe(1);
    expect(line('`${t("a.b")} ${t("a.c")}`')).toBe(1);
    expect(line('`${t("a.b")} · ${t("a.c")}`')).toBe(0);
    expect(line('<p>{t("a.b")}: {value}</p>')).toBe(1);
    expect(line('<p>{t("a.b")}</p>')).toBe(0);
  });
});

test("the pseudo-locale is longer, accented, in brackets, and keeps what is filled in", () => {
  expect(pseudoText("<b>{{actor}}</b> revoked the token")).toBe("[<b>{{actor}}</b> ŕévöķéd ţĥé ţöķéñ one two]");
  for (const [key, text] of english) expect(holes(pseudoText(text)), key).toEqual(holes(text));
});

test("numbers and dates are written as the interface speaks, in the reader's region", () => {
  expect(regional("de", ["en-GB", "de-AT"])).toBe("de-AT");
  expect(regional("pl", ["en-GB"])).toBe("pl");
});

test.each([["en", "12,500 keys of <a/b>"], ["de", "12.500 keys of <a/b>"], ["pl", "12\u00a0500 keys of <a/b>"]])("%s writes a number in a sentence as its language does, and a text as it is", async (language, told) => {
  setFormats(language, []);
  const speaking = createInstance();
  await speaking.init({ lng: language, resources: { [language]: { translation: { all: "{{number}} keys of {{name}}" } } }, interpolation: FILLED_IN });
  const say = speaking.t as (key: string, values: object) => string;
  for (const number of [12_500, numberOf("12500")]) expect(say("all", { number, name: "<a/b>" })).toBe(told);
});

test("the first language is the chosen one, else one the browser prefers, else English", () => {
  expect(firstLanguage([null, "pt"], ["de-AT"])).toBe("pt");
  expect(firstLanguage(["pseudo", "pt"], ["de-AT"])).toBe(PSEUDO);
  expect(firstLanguage(["xx"], ["sv", "de-AT", "en"])).toBe("de");
  expect(firstLanguage([null], ["pt-BR"])).toBe("pt");
  expect(firstLanguage([null], ["toString", "sv"])).toBe("en");
});
