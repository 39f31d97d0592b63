/**
 * Numbers that lose no digit. The server's JSON numbers are exact decimals; a browser's are binary and round them. Inside the
 * console a whole number that a browser counts exactly is a plain `number` (ids of versions, counts); every other number is
 * an `Exact`, which is its text. `12500.10` stays `12500.10`.
 *
 * An `Exact` refuses arithmetic and `JSON.stringify` loudly: both would lose what it is there to keep.
 */

const FORM = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const WHOLE = /^-?(0|[1-9]\d*)$/;

export class Exact {
  readonly text: string;

  constructor(text: string) {
    if (!FORM.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a number`);
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): never {
    throw new TypeError(`JSON.stringify would round ${this.text}: use stringify of json/json`);
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.text;
    throw new TypeError(`${this.text} is exact: use compare, equal or approximate of json/exact`);
  }
}

/** A number of the server's JSON. */
export type JsonNumber = number | Exact;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === "number" || value instanceof Exact;
}

/** Whether a text is a number as JSON writes it. */
export function isNumberText(text: string): boolean {
  return FORM.test(text);
}

/** The number that a JSON text stands for; the text comes back from `textOf`, digit by digit. */
export function numberOf(text: string): JsonNumber {
  if (WHOLE.test(text) && text !== "-0" && Number.isSafeInteger(Number(text))) return Number(text);
  return new Exact(text);
}

export function textOf(number: JsonNumber): string {
  return number instanceof Exact ? number.text : String(number);
}

/** The nearest number a browser can calculate with: for bars and positions, never for what is shown, compared or saved. */
export function approximate(number: JsonNumber): number {
  return Number(textOf(number));
}

/** Below, at or above: by value, so 12500.10 and 12500.1 are equal. */
export function compare(one: JsonNumber, other: JsonNumber): -1 | 0 | 1 {
  const [a, b] = aligned(one, other);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function equal(one: JsonNumber, other: JsonNumber): boolean {
  return compare(one, other) === 0;
}

export function isWhole(number: JsonNumber): boolean {
  return isMultiple(number, 1);
}

export function isMultiple(number: JsonNumber, of: JsonNumber): boolean {
  const [a, b] = aligned(number, of);
  return b !== 0n && a % b === 0n;
}

interface Decimal {
  coefficient: bigint;
  exponent: number;
}

/** More zeros than this are not written out: such a number is beyond anything people mean, and costs memory. */
const FARTHEST = 2_000;

function decimalOf(number: JsonNumber): Decimal {
  const match = FORM.exec(textOf(number));
  if (!match) throw new TypeError(`${textOf(number)} is not a number`);
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  const coefficient = BigInt(`${sign}${whole}${fraction}`);
  const exponent = Number(power) - fraction.length;
  return { coefficient, exponent: coefficient === 0n ? 0 : Math.max(-FARTHEST, Math.min(FARTHEST, exponent)) };
}

/** Both as whole numbers of the same power of ten. */
function aligned(one: JsonNumber, other: JsonNumber): [bigint, bigint] {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  const lowest = Math.min(a.exponent, b.exponent);
  const scaled = ({ coefficient, exponent }: Decimal) => coefficient * 10n ** BigInt(exponent - lowest);
  return [scaled(a), scaled(b)];
}
