import * as z from 'zod';

/* Kinds of configuration fields. Each error names the expected value. */

export const listed = (values: Iterable<unknown>) => [...values].join(', ');

/** An object without unknown fields. Its error lists the known ones. */
export const strictObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${listed(issue.keys)}; allowed are ${listed(Object.keys(shape))}`
        : `expected an object with ${listed(Object.keys(shape))}`,
  });

export const wholeNumber = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

export const text = (pattern: RegExp, expected: string) => {
  const error = `expected ${expected}`;
  return z.string(error).regex(pattern, error);
};

export const oneOf = <const Values extends readonly (string | number)[]>(values: Values) =>
  z.literal(values, `expected one of ${listed(values)}`);

export const flag = z.boolean('expected true or false');
export const date = z.iso.date('expected a day as YYYY-MM-DD');

export const arn = (service: string, resource: string) =>
  text(new RegExp(`^arn:aws[\\w-]*:${service}:[\\w-]+:\\d{12}:${resource}`), `an ARN of ${service}`);

/** A list of IDs of existing resources of EC2. */
export function idsOf(kind: string) {
  const example = `${kind}-0123456789abcdef0`;
  const some = `expected a list of IDs such as ${example}, with at least one`;
  return z.array(text(new RegExp(`^${kind}-[0-9a-f]+$`), `an ID such as ${example}`), some).min(1, some);
}
