/**
 * Filters in the address. The router would read `?over=0.100000000000000001` as a number and round it, in the address too;
 * here a number that a browser cannot hold stays the text it is.
 */
import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { Exact, isNumberText, type JsonNumber, numberOf } from "./exact";
import { isObject, type Json, parse, stringify } from "./json";

/** Refuses an exact number, and whatever may hold one: the router then keeps the text, which is also what a page filters by. */
function plain(text: string): Json {
  const value = parse(text);
  if (value instanceof Exact || isObject(value)) throw new TypeError("kept as text");
  return value;
}

export const parseSearch = parseSearchWith(plain);
export const stringifySearch = stringifySearchWith(stringify, plain);

/** A number of the address for a filter, every digit kept, or undefined where there is none. */
export function numberParam(value: unknown): JsonNumber | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  return typeof value === "string" && isNumberText(value) ? numberOf(value) : undefined;
}
