import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KNOWN_CODES } from "../api/problem";
import { EVENT_KINDS } from "../features/audit/filter";
import { SENTENCES } from "../features/audit/sentence";
import { PROBLEM_CODES } from "../forms/validate";
import { areas, base, expected, filled, missing, names, read } from "./catalogue";
import { regional } from "./formats";
import { firstLanguage, LANGUAGES, PSEUDO } from "./language";
import { pseudoText } from "./pseudo";

const FOLDER = join(import.meta.dirname, "locales");
/** In the others, what is not translated yet is English; `npm run words` lists it. */
const COMPLETE = ["de", "en", "pt"];
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}|<\/?(\w+)>/g)].map((hole) => hole[0]).sort();

const english = read("en");

test("there is a folder for each language and none besides, and in the complete ones a file for every area that the types name", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(LANGUAGES).flatMap((each) => [each, `${each}.ts`]).sort());
  const named = [...readFileSync(join(import.meta.dirname, "words.ts"), "utf8").matchAll(/locales\/en\/(\w+)\.json/g)].map(([, area]) => area);
  for (const language of COMPLETE) expect(areas(language), language).toEqual(named.sort());
});

test("what is loaded of a language is what its files say, and English where they say nothing", async () => {
  const { default: german } = await import("./locales/de");
  expect(german).toEqual(filled("de"));
  const { default: polish } = await import("./locales/pl");
  for (const key of expected("pl", english)) {
    const [area = "", ...rest] = key.split(".");
    expect((polish as unknown as Record<string, Record<string, string>>)[area]?.[rest.join(".")], key).toBeTruthy();
  }
});

test.each(COMPLETE)("%s has every message in every plural form", (language) => {
  expect(missing(language, english)).toEqual([]);
});

test("the pseudo-locale is longer, accented, in brackets, and keeps what is filled in", () => {
  expect(pseudoText("<b>{{actor}}</b> revoked the token")).toBe("[<b>{{actor}}</b> ŕévöķéd ţĥé ţöķéñ one two]");
  for (const [key, text] of english) expect(holes(pseudoText(text)), key).toEqual(holes(text));
});

test("numbers and dates are written as the interface speaks, in the reader's region", () => {
  expect(regional("de", ["en-GB", "de-AT"])).toBe("de-AT");
  expect(regional("pl", ["en-GB"])).toBe("pl");
});

describe.each(Object.keys(LANGUAGES))("%s", (language) => {
  const messages = read(language);

  test("has no message that English lacks", () => {
    const wanted = new Set(expected(language, english));
    expect([...messages.keys()].filter((key) => !wanted.has(key))).toEqual([]);
  });

  test("leaves no message empty and keeps what is filled in", () => {
    for (const [key, text] of messages) {
      expect(text.trim(), key).not.toBe("");
      const original = english.get(key) ?? english.get(`${base(key)}_other`) ?? "";
      expect(holes(text), key).toEqual(holes(original));
    }
  });

  test.runIf(COMPLETE.includes(language))("has words for every error, event and kind of object", () => {
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
    /^(problem|event|permission|area|builtin_role|settings|nav|live|canvas|story|why)\.|^(app\.do|builder\.(refused|group|run_as|slot|mode|parting)|workflows\.status|documents\.refused|people\.(status|decided)|inbox\.(tab|empty|said|key|bulk)|processes\.(status|do|did|about|refused)|form\.problem|audit\.kind|runs\.(status|waits)|health\.(queue|state|span)|deliveries\.(queue|about|status)|operations\.(all|about|verdict|outcome)|schedules\.(state|preset|missed|overlap)|tokens\.(state|empty|filter)|users\.kind|account\.theme|data\.(left|on_conflict|op|type|view)|sessions\.(status|decide|said)|parts\.(effect|kind))_|^common\.(today|yesterday)$|^builder\.(saved|waiting|saving|failed|overtaken)$/;
  const unused = names(english).filter((key) => !dynamic.test(key) && !source.includes(`"${key}"`));
  expect(unused).toEqual([]);
});

test("the first language is the chosen one, else one the browser prefers, else English", () => {
  expect(firstLanguage([null, "pt"], ["de-AT"])).toBe("pt");
  expect(firstLanguage(["pseudo", "pt"], ["de-AT"])).toBe(PSEUDO);
  expect(firstLanguage(["xx"], ["sv", "de-AT", "en"])).toBe("de");
  expect(firstLanguage([null], ["pt-BR"])).toBe("pt");
  expect(firstLanguage([null], ["toString", "sv"])).toBe("en");
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
