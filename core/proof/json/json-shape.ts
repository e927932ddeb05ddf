import { hexOf, isQuantity } from '../encoding/hex.ts';
import { inElement, ProofError } from '../encoding/proof-error.ts';

export type Members = Record<string, unknown>;

export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** @throws ProofError when a value is not an object */
export function object(value: unknown, field: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new ProofError(field, 'it is not an object');
}

/** @throws ProofError when a value is not an array, or longer than `max` */
export function elements(value: unknown, field: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProofError(field, 'it is not an array');
  if (value.length <= max) return value;
  throw new ProofError(field, `${value.length} elements are more than a block can hold`);
}

/** Checks each element of an array, up to the first error. */
export function each(value: unknown, field: string, max: number, check: (element: unknown) => void): void {
  const list = elements(value, field, max);
  for (let index = 0; index < list.length; index++) inElement(field, index, () => check(list[index]));
}

/** Checks that members are strings, and converts numbers to hex in place. */
export function required(members: Members, names: readonly string[]): void {
  for (const name of names) {
    if (typeof members[name] !== 'string') members[name] = hexOf(members[name], name);
  }
}

/** Checks the members that are present like `required`, and replaces null by undefined in place. */
export function optional(members: Members, names: readonly string[]): void {
  for (const name of names) {
    const value = members[name];
    if (value === undefined || typeof value === 'string') continue;
    members[name] = value === null ? undefined : hexOf(value, name);
  }
}

const BYTES = /^0x[0-9a-f]*$/i;

/** Like `optional`, for quantities; keeps null. */
export function quantities(members: Members, names: readonly string[]): void {
  for (const name of names) {
    const value = members[name];
    if (isAbsent(value)) continue;
    if (typeof value !== 'string') members[name] = hexOf(value, name);
    else if (!isQuantity(value)) throw new ProofError(name, 'it is not a hex quantity');
  }
}

/** Like `optional`, for hex of this number of bytes, which becomes lower-case in place. */
export function fixedBytes(members: Members, names: readonly string[], bytes: number): void {
  optional(members, names);
  for (const name of names) {
    const value = members[name];
    if (typeof value !== 'string') continue;
    if (value.length !== 2 + 2 * bytes || !BYTES.test(value)) {
      throw new ProofError(name, `it is not hex of ${bytes} bytes`);
    }
    members[name] = value.toLowerCase();
  }
}
