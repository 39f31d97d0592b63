/** What is filled into a sentence: a number as its language writes numbers, to the last digit; all else as it is. React escapes what is drawn. */
import { isNumber } from "../json/exact";
import { formatNumber } from "../json/format";
import { formats } from "./formats";

export const FILLED_IN = {
  useRawValueToEscape: true,
  escape: ((value: unknown) => (typeof value === "number" ? value.toLocaleString(formats()) : isNumber(value) ? formatNumber(value) : String(value))) as (text: string) => string,
};
