import type { Random } from '#test/support/generators/random/random.ts';

/** A member or element of a JSON value. */
export interface Place {
  /** Such as `transactions[3].value`. */
  readonly path: string;
  readonly parent: Record<string | number, unknown>;
  readonly key: string | number;
}

/** A change of the value at a place. */
export interface Change {
  readonly name: string;
  /** Makes the change, and returns a function that takes it back. */
  readonly apply: () => () => void;
  readonly isDeletion: boolean;
}

/** Lists every place in a JSON value that holds something. */
export function placesIn(value: unknown, path = ''): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string | number, unknown>;
  const isArray = Array.isArray(value);
  return Object.keys(value).flatMap((name) => {
    const key = isArray ? Number(name) : name;
    if (parent[key] === undefined || parent[key] === null) return [];
    const place = { path: isArray ? `${path}[${name}]` : [path, name].join(path && '.'), parent, key };
    return [place, ...placesIn(parent[key], place.path)];
  });
}

/** Lists the changes of a place: another value, one element less, one twice, or nothing at all. */
export function changesOf({ parent, key }: Place, random: Random): readonly Change[] {
  const value = parent[key];
  const set = (name: string, changed: unknown): Change => ({
    name,
    isDeletion: false,
    apply: () => {
      parent[key] = changed;
      return () => {
        parent[key] = value;
      };
    },
  });
  if (Array.isArray(value)) return arrayChanges(value, set, random);
  // The elements of an array are deleted by changes of the array.
  const deletion = Array.isArray(parent) ? [] : [{ ...set('deleted', undefined), isDeletion: true }];
  if (typeof value === 'string') return [...hexChanges(value, set, random), ...deletion];
  if (typeof value === 'boolean') return [set('negated', !value), ...deletion];
  return deletion;
}

type Set = (name: string, changed: unknown) => Change;

function arrayChanges(list: readonly unknown[], set: Set, random: Random): readonly Change[] {
  if (list.length === 0) return [];
  const at = random.below(list.length);
  return [
    set(`without element ${at}`, list.toSpliced(at, 1)),
    set(`with element ${at} twice`, list.toSpliced(at, 0, list[at])),
    ...(list.length > 1 ? [set('in another order', [...list.slice(1), list[0]])] : []),
  ];
}

function hexChanges(hex: string, set: Set, random: Random): readonly Change[] {
  const digits = hex.slice(2);
  if (!hex.startsWith('0x')) return [set('with a digit more', `${hex}1`)];
  if (digits === '') return [set('with a byte', '0x01')];
  const at = random.below(digits.length);
  const flipped = (Number.parseInt(digits[at] as string, 16) ^ (1 + random.below(15))).toString(16);
  const increased = (BigInt(hex) + 1n).toString(16).padStart(digits.length, '0');
  return [
    set(`with digit ${at} changed`, `0x${digits.slice(0, at)}${flipped}${digits.slice(at + 1)}`),
    set('plus one', `0x${increased.slice(-Math.max(digits.length, 1))}`),
  ];
}
