/** JSON without losing a digit: what `parse` read, `stringify` writes back the same. Everything fetched and sent goes here. */
import { parse as parseLossless, stringify as stringifyLossless } from "lossless-json";
import { equal, Exact, isNumber, type JsonNumber, numberOf, textOf } from "./exact";

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

const NUMBERS = [{ test: isNumber, stringify: (value: unknown) => textOf(value as JsonNumber) }];

/** Throws a SyntaxError for what is not JSON, and for an object that gives a key two values. */
export function parse(text: string): Json {
  return parseLossless(text, null, numberOf) as Json;
}

export function stringify(value: unknown, space?: number): string {
  return stringifyLossless(value, null, space, NUMBERS) ?? "null";
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

/** Whether two values mean the same: numbers by value, objects whatever the order of their keys. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isNumber(one) && isNumber(other)) return equal(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
    );
  }
  return false;
}

/** A value as somebody copies it: a text as it is, anything else as JSON with every digit. */
export function copyText(value: unknown): string {
  return typeof value === "string" ? value : stringify(value, 2);
}
