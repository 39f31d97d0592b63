/**
 * Numbers for people, and back. Shown with Intl straight from their text, so that every digit is there; read in the way the
 * reader's locale writes them. Like dates, numbers are written as the language of the interface does.
 */
import { formats } from "../i18n/formats";
import { isNumberText, type JsonNumber, numberOf, textOf } from "./exact";

type Locales = string | readonly string[] | undefined;

/** Every Intl writes this many decimals; a number with more is shown as it came. */
const MOST_DECIMALS = 20;

/** With all its decimals, trailing zeros too: 12500.10 is "12,500.10". */
export function formatNumber(number: JsonNumber, locales: Locales = formats()): string {
  const decimals = decimalsOf(number);
  if (decimals > MOST_DECIMALS) return inputText(number, locales);
  return format(number, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }, locales);
}

/** An amount of money: at least the decimals its currency has, and never fewer than were given. */
export function formatMoney(number: JsonNumber, currency: string | undefined, locales: Locales = formats()): string {
  if (!currency || !isCurrency(currency)) {
    return currency ? `${formatNumber(number, locales)} ${currency}` : formatNumber(number, locales);
  }
  const decimals = Math.max(decimalsOf(number), currencyDecimals(currency));
  if (decimals > MOST_DECIMALS) return `${inputText(number, locales)} ${currency}`;
  return format(
    number,
    { style: "currency", currency, currencyDisplay: "code", minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    locales,
  );
}

export function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

function currencyDecimals(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** A number as the text of an input: the locale's decimal sign, no groups, every digit. `readNumber` gives it back. */
export function inputText(number: JsonNumber, locales: Locales = formats()): string {
  return textOf(number).replace(".", signs(locales).decimal);
}

/**
 * What somebody typed, as a number, or null when it is none. The locale's decimal sign and its groups are understood; a point
 * is taken as the decimal sign where it cannot be a group. "1.234" is therefore 1234 in German and 1.234 in English.
 */
export function readNumber(typed: string, locales: Locales = formats()): JsonNumber | null {
  const { decimal, group } = signs(locales);
  const text = typed.trim().replaceAll(/[\u00a0\u202f\s']/g, "").replace("\u2212", "-").replace(/^\+/, "");
  const [whole = "", fraction, ...rest] = text.split(decimal);
  if (rest.length > 0) return null;
  const plain = withoutGroups(whole, group);
  const candidate = plain === null || (fraction !== undefined && !/^\d*(?:[eE][+-]?\d+)?$/.test(fraction)) ? null : plain;
  if (candidate !== null) return asNumber(fraction === undefined || fraction === "" ? candidate : `${candidate}.${fraction}`);
  // A point that can be no group is the decimal sign of whoever pasted it.
  return group === "." && fraction === undefined ? asNumber(text) : null;
}

function asNumber(text: string): JsonNumber | null {
  const given = text.replace(/^(-?)\./, "$10.").replace(/^(-?)0+(?=\d)/, "$1");
  return isNumberText(given) ? numberOf(given) : null;
}

function withoutGroups(whole: string, group: string): string | null {
  if (group.trim() === "" || group === "'" || group === "’" || !whole.includes(group)) return whole.replaceAll("’", "");
  const parts = whole.replace(/^-/, "").split(group);
  const grouped = parts.every((part, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part));
  return grouped ? (whole.startsWith("-") ? "-" : "") + parts.join("") : null;
}

function signs(locales: Locales): { decimal: string; group: string } {
  const parts = formatter({ useGrouping: true }, locales).formatToParts(-1234567.5);
  const found = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: found("decimal") ?? ".", group: found("group") ?? "" };
}

/** How many digits follow the decimal sign, an exponent taken into account. */
function decimalsOf(number: JsonNumber): number {
  const [mantissa = "", power = "0"] = textOf(number).toLowerCase().split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(power));
}

function format(number: JsonNumber, options: Intl.NumberFormatOptions, locales: Locales): string {
  // Intl takes the decimal text of a number and rounds nothing that the options keep.
  return formatter(options, locales).format(textOf(number) as Intl.StringNumericLiteral);
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Making one costs a hundred times as much as using it, and a list needs it for each row. */
function formatter(options: Intl.NumberFormatOptions, locales: Locales): Intl.NumberFormat {
  const key = JSON.stringify([locales, options]);
  const known = formatters.get(key) ?? new Intl.NumberFormat(locales as string | string[] | undefined, options);
  formatters.set(key, known);
  return known;
}
