/** The pseudo-locale: English, accented, about two fifths longer and in brackets, so that what is cut off or never translated shows. */
import type { Words } from "./words";

const PLAIN = "aceghijklnorstuwyzACEGHIJKLNORSTUWYZ";
const ACCENTED = "åçéĝĥîĵķļñöŕšţûŵýžÅÇÉĜĤÎĴĶĻÑÖŔŠŢÛŴÝŽ";
const LONGER = 0.4;
/** What is filled in or is markup stays as it is. */
const KEPT = /({{[^}]*}}|<\/?\w+>)/;

export function pseudo(words: Partial<Words>): Partial<Words> {
  return each(words) as Partial<Words>;
}

function each(value: unknown): unknown {
  if (typeof value === "string") return pseudoText(value);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, each(inner)]));
}

export function pseudoText(text: string): string {
  const parts = text.split(KEPT);
  const length = parts.reduce((sum, part) => (KEPT.test(part) ? sum : sum + part.length), 0);
  const accented = parts.map((part) => (KEPT.test(part) ? part : part.replaceAll(/[a-z]/gi, accent))).join("");
  return `[${accented}${padding(Math.ceil(length * LONGER))}]`;
}

function accent(letter: string): string {
  const at = PLAIN.indexOf(letter);
  return at < 0 ? letter : (ACCENTED[at] ?? letter);
}

/** In words, as a longer language would be: one long word would break where no language does. */
function padding(length: number): string {
  return " one two three four five six".repeat(Math.ceil(length / 28)).slice(0, length).trimEnd();
}
