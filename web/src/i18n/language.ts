/** The languages of the interface, and which one to begin with. */

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
} as const;

/** English made long and accented while it is loaded, to see what breaks or was never translated. Nobody is offered it by accident. */
export const PSEUDO = "en-XA";

export type Translated = keyof typeof LANGUAGES;
export type Language = Translated | typeof PSEUDO;

export function isTranslated(value: unknown): value is Translated {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

export function isLanguage(value: unknown): value is Language {
  return value === PSEUDO || isTranslated(value);
}

/** What was asked for or chosen before, the first that we speak; else the first of the browser's languages that we speak, else English. */
export function firstLanguage(chosen: readonly (string | null)[], preferred: readonly string[]): Language {
  const wanted = chosen.map((each) => (each === "pseudo" ? PSEUDO : each)).find(isLanguage);
  if (wanted) return wanted;
  const bases = preferred.map((tag) => tag.toLowerCase().split("-")[0]);
  return bases.find(isTranslated) ?? "en";
}
