/** Last position of each hash of three bytes. All calls share the table, because clearing it is cheaper than creating one. */
const lastPositions = new Uint32Array(0x2000);
/** The farthest distance to which a match can refer. */
const WINDOW = 0x1fff;
/** No match begins within this many bytes of the end. */
const TAIL = 13;
/** Matches are compared up to this many bytes before the end. */
const UNCOMPARED_END = 4;
const LITERALS_PER_RUN = 32;
const MAX_MATCH = 262;
/** Shorter matches take two bytes, longer ones three. */
const SHORT_MATCH = 6;

/**
 * Returns the length of `bytes` after FastLZ compression (level 1), which decides the L1 fee since Fjord. The compressed bytes
 * are never written. The hash and the limits below are part of the protocol, because they decide which matches are found:
 * https://specs.optimism.io/protocol/fjord/exec-engine.html#fees and FlzCompressLen in
 * https://github.com/ethereum-optimism/op-geth core/types/rollup_cost.go.
 */
export function fastLzLength(bytes: Uint8Array): number {
  lastPositions.fill(0);
  const end = bytes.length - TAIL - 1;
  let length = 0;
  /** All bytes before it are part of `length`. */
  let done = 0;
  let at = 2;
  while (at < end) {
    const word = wordAt(bytes, at);
    const slot = slotOf(word);
    const match = lastPositions[slot] as number;
    lastPositions[slot] = at;
    if (at - match > WINDOW || wordAt(bytes, match) !== word) {
      at++;
      continue;
    }
    const matched = compare(bytes, match + 3, at + 3);
    length += literalsLength(at - done) + matchLength(matched);
    at += matched;
    lastPositions[slotOf(wordAt(bytes, at))] = at;
    at++;
    lastPositions[slotOf(wordAt(bytes, at))] = at;
    at++;
    done = at;
  }
  return length + literalsLength(bytes.length - done);
}

/** Three bytes as a number. */
const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);

const slotOf = (word: number): number => Math.imul(2_654_435_769, word) >>> 19;

/** Counts the equal bytes after two positions, plus the first unequal one. */
function compare(bytes: Uint8Array, from: number, to: number): number {
  const end = bytes.length - UNCOMPARED_END - to;
  for (let count = 0; count < end; count++) {
    if (bytes[from + count] !== bytes[to + count]) return count + 1;
  }
  return end;
}

/** Each run of up to 32 literals is preceded by one byte. */
function literalsLength(count: number): number {
  const rest = count % LITERALS_PER_RUN;
  const runs = (count - rest) / LITERALS_PER_RUN;
  return runs * (LITERALS_PER_RUN + 1) + (rest > 0 ? rest + 1 : 0);
}

function matchLength(matched: number): number {
  const rest = (matched - 1) % MAX_MATCH;
  const parts = (matched - 1 - rest) / MAX_MATCH;
  return 3 * parts + (rest < SHORT_MATCH ? 2 : 3);
}
