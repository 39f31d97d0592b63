/** The languages of the interface, and which one to begin with. */

export const LANGUAGES = { en: "English", de: "Deutsch", pt: "Português" } as const;
export type Language = keyof typeof LANGUAGES;

export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

/** What was chosen before, else the first of the browser's languages that we speak, else English. */
export function firstLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  const bases = preferred.map((tag) => tag.toLowerCase().split("-")[0]);
  return bases.find(isLanguage) ?? "en";
}
