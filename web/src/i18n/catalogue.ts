/**
 * The catalogue as it lies in the files, for the build and for the checks; the console itself never loads this. English is the
 * model. What another language lacks is filled in with English while building, so that nobody ever reads a key.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Messages = Map<string, string>;
type Area = Record<string, string>;

const FOLDER = join(import.meta.dirname, "locales");
const PLURAL = /_(zero|one|two|few|many|other)$/;
/** Names that end like a plural and are none. */
const NO_PLURAL = /^(compile|event)\./;

export function languages(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true }).filter((each) => each.isDirectory()).map(({ name }) => name).sort();
}

export function areas(language: string): string[] {
  return readdirSync(join(FOLDER, language)).map((file) => file.replace(/\.json$/, "")).sort();
}

export function fileOf(language: string, area: string): string {
  return join(FOLDER, language, `${area}.json`);
}

function area(language: string, name: string): Area {
  const file = fileOf(language, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Area) : {};
}

/** Every message of a language by its key, `area.name`. */
export function read(language: string): Messages {
  return new Map(areas(language).flatMap((name) => Object.entries(area(language, name)).map(([key, text]) => [`${name}.${key}`, text] as const)));
}

/** The key of a plural without its form; any other key as it is. */
export function base(key: string): string {
  return NO_PLURAL.test(key) ? key : key.replace(PLURAL, "");
}

export function isPlural(key: string): boolean {
  return base(key) !== key;
}

export function names(messages: Messages): string[] {
  return [...new Set([...messages.keys()].map(base))].sort();
}

export function formsOf(language: string): string[] {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories;
}

/** The keys that a language should have: English ones, and of plurals the forms of its own. */
export function expected(language: string, english: Messages): string[] {
  return [...new Set([...english.keys()].flatMap((key) => (isPlural(key) ? formsOf(language).map((form) => `${base(key)}_${form}`) : [key])))].sort();
}

export function missing(language: string, english = read("en")): string[] {
  const own = read(language);
  return expected(language, english).filter((key) => !own.has(key));
}

/** All areas of a language, with English where it says nothing. */
export function filled(language: string): Record<string, Area> {
  const english = read("en");
  const own = read(language);
  const whole: Record<string, Area> = {};
  for (const key of new Set([...expected(language, english), ...own.keys()])) {
    const [name = "", ...rest] = key.split(".");
    const text = own.get(key) ?? own.get(`${base(key)}_other`) ?? english.get(key) ?? english.get(`${base(key)}_other`);
    if (text !== undefined) (whole[name] ??= {})[rest.join(".")] = text;
  }
  return whole;
}

/** What a language says word for word as English does, though its own words may be meant; what is only filled in is nobody's. */
export function sameAsEnglish(language: string, english = read("en")): string[] {
  const same = [...read(language)].filter(([key, text]) => text === (english.get(key) ?? english.get(`${base(key)}_other`)));
  return [...new Set(same.map(([, text]) => text))].filter((text) => /\p{L}/u.test(text.replaceAll(/{{\w+}}|<\/?\w+>/g, ""))).sort();
}
