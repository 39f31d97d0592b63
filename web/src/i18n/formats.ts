/**
 * How numbers and dates are written: as the language of the interface writes them, in the reader's region where the browser
 * names one of that language (German as in Austria). What is shown is also how it is read back from a field.
 */

let spoken: string | undefined;

/** For Intl and the `toLocale…` functions; undefined, the browser's own, before there is a language. */
export function formats(): string | undefined {
  return spoken;
}

export function setFormats(language: string, preferred: readonly string[]): void {
  spoken = regional(language, preferred);
}

/** The first of the browser's languages that is this one with a region, else the language alone. */
export function regional(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().startsWith(`${language.toLowerCase()}-`)) ?? language;
}
