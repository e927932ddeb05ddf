import * as z from 'zod/mini';
import { dayOf } from '../figures/calendar.ts';

/* Kinds of fields of a configuration. Each error names the expected value. */

export const commaSeparated = (values: Iterable<unknown>): string => [...values].join(', ');

/** An object without unknown fields. Its error lists the known ones. */
export const strictObject = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<{ -readonly [Name in keyof Shape]: Shape[Name] }, z.core.$strict> =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${commaSeparated(issue.keys)}; allowed are ${commaSeparated(Object.keys(shape))}`
        : `expected an object with ${commaSeparated(Object.keys(shape))}`,
  });

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): z.ZodMiniInt => {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `expected a whole number ${range}`;
  return z.int(error).check(z.minimum(min, error), z.maximum(max, error));
};

export const text = (pattern: RegExp, expected: string): z.ZodMiniString<string> => {
  const error = `expected ${expected}`;
  return z.string(error).check(z.regex(pattern, error));
};

export const oneOf = <const Values extends readonly (string | number)[]>(
  values: Values,
): z.ZodMiniLiteral<Values[number]> => z.literal(values, `expected one of ${commaSeparated(values)}`);

export const flag = z.boolean('expected true or false');
const DATE = 'expected a day as YYYY-MM-DD, at most today (UTC)';
export const date = z.iso.date(DATE).check(z.refine((day) => day <= dayOf(Date.now() / 1_000), DATE));

/** An identifier of https://spdx.org/licenses, or another name without spaces. */
export const licence = text(/^[A-Za-z0-9][\w.+-]{0,63}$/, 'the identifier of a licence, such as CC0-1.0');
