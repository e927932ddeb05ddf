/*
 * FastLZ level 1, written for clarity from https://github.com/ariya/FastLZ README.md#block-format, to check the length that the L1 fee
 * is based on. It builds the stream, so that decompressing it proves the stream right.
 */

const WINDOW = 8_191;
const MAX_MATCH = 264;
const PART_OF_LONG_MATCH = 262;
const HASHES = 8_192n;

const hashOf = (triple: readonly number[]): number => {
  const [a = 0, b = 0, c = 0] = triple;
  return Number((((BigInt(a | (b << 8) | (c << 16)) * 2_654_435_769n) % 2n ** 32n) / 2n ** 19n) % HASHES);
};

/** Compresses greedily, with one remembered position per hash, as the reference implementation does. */
export function compressFastLz(input: Uint8Array): Uint8Array {
  const out: number[] = [];
  const seen = new Map<number, number>();
  const tripleAt = (at: number) => [...input.slice(at, at + 3)];
  const remember = (at: number) => seen.set(hashOf(tripleAt(at)), at);
  let literalsFrom = 0;
  let at = 2;
  // A match must begin at least 14 bytes before the end.
  while (at < input.length - 14) {
    const candidate = seen.get(hashOf(tripleAt(at))) ?? 0;
    remember(at);
    const isMatch = at - candidate <= WINDOW && `${tripleAt(candidate)}` === `${tripleAt(at)}`;
    if (!isMatch) {
      at++;
      continue;
    }
    const length = matchLength(input, candidate, at);
    writeLiterals(out, input.slice(literalsFrom, at));
    writeMatch(out, at - candidate, length);
    at += length;
    remember(at - 2);
    remember(at - 1);
    literalsFrom = at;
  }
  writeLiterals(out, input.slice(literalsFrom));
  return Uint8Array.from(out);
}

/** The reference compares up to 4 bytes before the end, and then takes one byte less than matched. */
function matchLength(input: Uint8Array, from: number, to: number): number {
  const end = input.length - 4;
  let length = 3;
  while (to + length < end && input[from + length] === input[to + length]) length++;
  return to + length === end ? length - 1 : length;
}

function writeLiterals(out: number[], literals: Uint8Array): void {
  for (let at = 0; at < literals.length; at += 32) {
    const run = literals.slice(at, at + 32);
    out.push(run.length - 1, ...run);
  }
}

function writeMatch(out: number[], distance: number, length: number): void {
  const [high, low] = [(distance - 1) >> 8, (distance - 1) & 0xff];
  let rest = length;
  while (rest > MAX_MATCH) {
    out.push((7 << 5) | high, PART_OF_LONG_MATCH - 9, low);
    rest -= PART_OF_LONG_MATCH;
  }
  if (rest < 9) out.push(((rest - 2) << 5) | high, low);
  else out.push((7 << 5) | high, rest - 9, low);
}
