import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KNOWN_CODES } from "../api/problem";
import { EVENT_KINDS } from "../features/audit/filter";
import { SENTENCES } from "../features/audit/sentence";
import { PROBLEM_CODES } from "../forms/validate";
import { firstLanguage, LANGUAGES } from "./language";

type Messages = Map<string, string>;

const FOLDER = join(import.meta.dirname, "locales");
const PLURAL = /_(zero|one|two|few|many|other)$/;

const areas = (language: string) => readdirSync(join(FOLDER, language)).sort();
const read = (language: string): Messages =>
  new Map(
    areas(language).flatMap((file) => [
      ...flat(JSON.parse(readFileSync(join(FOLDER, language, file), "utf8")) as object, [file.replace(/\.json$/, "")]),
    ]),
  );

function flat(tree: object, path: string[] = []): Messages {
  const found: Messages = new Map();
  for (const [key, value] of Object.entries(tree) as [string, unknown][]) {
    if (typeof value === "string") found.set([...path, key].join("."), value);
    else if (typeof value === "object" && value) for (const entry of flat(value, [...path, key])) found.set(...entry);
  }
  return found;
}

/** A plural counts as one message, whatever forms its language has. */
const names = (messages: Messages) => [...new Set([...messages.keys()].map((key) => key.replace(PLURAL, "")))].sort();
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}|<\/?(\w+)>/g)].map((hole) => hole[0]).sort();

const english = read("en");

test("there is a folder for each language and none besides, and in each a file for every area that the types name", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(LANGUAGES).flatMap((each) => [each, `${each}.ts`]).sort());
  const named = [...readFileSync(join(import.meta.dirname, "words.ts"), "utf8").matchAll(/locales\/en\/(\w+\.json)/g)].map(([, file]) => file);
  for (const language of Object.keys(LANGUAGES)) expect(areas(language), language).toEqual(named.sort());
});

test("what is loaded of a language is what its files say", async () => {
  const { default: loaded } = await import("./locales/de");
  expect(flat(loaded)).toEqual(read("de"));
});

describe.each(Object.keys(LANGUAGES))("%s", (language) => {
  const messages = read(language);

  test("has every message, and none that English lacks", () => {
    expect(names(messages)).toEqual(names(english));
  });

  test("leaves no message empty and keeps what is filled in", () => {
    for (const [key, text] of messages) {
      expect(text.trim(), key).not.toBe("");
      const base = key.replace(PLURAL, "");
      const original = english.get(key) ?? english.get(`${base}_other`) ?? "";
      expect(holes(text), key).toEqual(holes(original));
    }
  });

  test("has all plural forms of its language", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = [...english.keys()].filter((key) => key.endsWith("_other") && !key.startsWith("event."));
    for (const key of plurals) {
      for (const form of forms) expect(messages.has(key.replace(PLURAL, `_${form}`)), `${key}: ${form}`).toBe(true);
    }
  });

  test("has words for every error, event and kind of object", () => {
    const dynamic = [
      ...KNOWN_CODES.map((code) => `problem.${code}`),
      "problem.unexpected",
      ...PROBLEM_CODES.filter((code) => code !== "required").map((code) => `form.problem_${code}`),
      ...SENTENCES.map((name) => `event.${name}`),
      ...EVENT_KINDS.map((kind) => `audit.kind_${kind}`),
    ];
    expect(dynamic.filter((key) => !messages.has(key))).toEqual([]);
  });
});

test("every message is used somewhere", () => {
  const source = sources(join(import.meta.dirname, ".."));
  const dynamic =
    /^(problem|event|permission|area|builtin_role|settings|nav|live|canvas|story|why)\.|^(builder\.(refused|group|run_as|slot|mode|parting)|workflows\.status|documents\.refused|people\.(status|decided)|inbox\.(tab|empty|said|key|bulk)|processes\.(status|do|did|about|refused)|form\.problem|audit\.kind|runs\.(status|waits)|schedules\.(state|preset|missed|overlap)|tokens\.(state|empty|filter)|users\.kind|account\.theme)_|^common\.(today|yesterday)$|^builder\.(saved|waiting|saving|failed|overtaken)$/;
  const unused = names(english).filter((key) => !dynamic.test(key) && !source.includes(`"${key}"`));
  expect(unused).toEqual([]);
});

test("the first language is the chosen one, else one the browser prefers, else English", () => {
  expect(firstLanguage("pt", ["de-AT"])).toBe("pt");
  expect(firstLanguage("xx", ["fr-CA", "de-AT", "en"])).toBe("de");
  expect(firstLanguage(null, ["pt-BR"])).toBe("pt");
  expect(firstLanguage(null, ["toString", "fr"])).toBe("en");
});

function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sources(path);
      return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? readFileSync(path, "utf8") : "";
    })
    .join("\n");
}
