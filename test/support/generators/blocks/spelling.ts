import type { Random } from '#test/support/generators/random/random.ts';
import type { Json } from './seal.ts';

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,31})$/;

/** Respells a response as some nodes do: upper-case digits, numbers in place of hex, additional fields. */
export const respell = (json: Json, random: Random): Json => ({
  ...Object.fromEntries(Object.entries(json).map(([field, value]) => [field, respelled(value, random)])),
  timeboosted: random.chance(0.5) ? false : null,
});

/** Respells one value; values without text stay unchanged. */
export function respelled(value: unknown, random: Random): unknown {
  if (typeof value === 'string') return respelledText(value, random);
  if (Array.isArray(value)) return value.map((one) => respelled(one, random));
  return isJson(value) ? respell(value, random) : value;
}

function respelledText(text: string, random: Random): string | number {
  const isNumber = QUANTITY.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
  if (isNumber && random.chance(0.3)) return Number(text);
  return random.chance(0.5) ? text.replace(/[a-f]/g, (digit) => digit.toUpperCase()) : text;
}

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
