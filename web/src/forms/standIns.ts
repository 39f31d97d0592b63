/**
 * Exact numbers before a validator that knows binary ones only. Each number of a value is replaced by a stand-in: a binary
 * number that lies on the same side of every number the schema names, is whole when it is whole and a multiple when it is one.
 * The validator's verdict on the stand-ins is then the verdict on the numbers themselves, inside `oneOf` and `not` too.
 */
import { compare, equal, isMultiple, isNumber, isWhole, type JsonNumber, numberOf, textOf } from "../json/exact";
import { isObject, type Json } from "../json/json";

/** Numbers the schema names, and a browser cannot tell apart, get room between them for those that lie there. */
const APART = 4;
/** How far from the nearest binary number a stand-in is looked for. */
const FARTHEST = 12;

interface Known {
  exact: JsonNumber;
  standIn: number;
}

/** The schema and the value with plain numbers in them; only for asking a validator, never for showing or saving. */
export function standIns(schema: Json, value: Json): { schema: unknown; value: unknown } {
  const named: Known[] = [];
  const multiples = numbersIn(schema, "multipleOf");
  for (const exact of numbersIn(schema)) {
    if (!named.some((known) => equal(known.exact, exact))) named.push({ exact, standIn: choose(exact, named, [], new Map(), APART) });
  }
  const taken = new Map<number, JsonNumber>(named.map(({ exact, standIn }) => [standIn, exact]));
  const of = (exact: JsonNumber): number => {
    const known = named.find((each) => equal(each.exact, exact));
    if (known) return known.standIn;
    const standIn = choose(exact, named, multiples, taken);
    taken.set(standIn, exact);
    return standIn;
  };
  return { schema: replaced(schema, of), value: replaced(value, of) };
}

function choose(
  exact: JsonNumber,
  named: readonly Known[],
  multiples: readonly JsonNumber[],
  taken: ReadonlyMap<number, JsonNumber>,
  stride = 1,
): number {
  const nearest = Number(textOf(exact));
  const first = Number.isFinite(nearest) ? nearest : Math.sign(nearest) * Number.MAX_VALUE;
  const whole = isWhole(exact);
  const fits = (candidate: number) => {
    const other = taken.get(candidate);
    return (
      Number.isInteger(candidate) === whole &&
      (other === undefined || equal(other, exact)) &&
      named.every((known) => Math.sign(candidate - known.standIn) === compare(exact, known.exact)) &&
      multiples.every((of) => isMultiple(numberOf(String(candidate)), of) === isMultiple(exact, of))
    );
  };
  let [above, below] = [first, first];
  for (let step = 0; step <= FARTHEST; step++) {
    if (fits(above)) return above;
    if (fits(below)) return below;
    for (let each = 0; each < stride; each++) [above, below] = [neighbour(above, 1n), neighbour(below, -1n)];
  }
  // Beyond what binary numbers can tell apart. The server, which is exact, has the last word.
  return first;
}

/** The next binary number up or down. */
function neighbour(number: number, direction: 1n | -1n): number {
  if (number === 0) return direction === 1n ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number);
  bits.setBigInt64(0, bits.getBigInt64(0) + (number > 0 ? direction : -direction));
  const next = bits.getFloat64(0);
  return Number.isFinite(next) ? next : number;
}

function numbersIn(value: Json, under?: string): JsonNumber[] {
  if (isNumber(value)) return under === undefined ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => numbersIn(item, under));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === under && isNumber(each) ? [each] : numbersIn(each, under)));
}

function replaced(value: Json, of: (number: JsonNumber) => number): unknown {
  if (isNumber(value)) return of(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, of));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, of)]));
}
