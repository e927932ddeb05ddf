import { keccak256 } from './keccak.ts';

/** Bytes of a bloom. */
export const BLOOM = 256;
const BITS = 8 * BLOOM;
/** Each address and each topic sets this many bits. */
const BITS_PER_VALUE = 3;

/** Addresses have 20 bytes and topics 32. */
const LONGEST_VALUE = 32;
const SLOTS = 1 << 14;

/** Adds a log's address or topic to a bloom. */
export type AddToBloom = (bloom: Buffer, value: Buffer) => void;

/**
 * Returns a function that adds values to blooms: https://ethereum.github.io/yellowpaper/paper.pdf, section 4.3.1. It remembers the bits of
 * recent values, since most values of a block repeat and hashing one takes ten times as long as comparing it.
 */
export function openBloom(): AddToBloom {
  const values = Buffer.alloc(SLOTS * LONGEST_VALUE);
  const lengths = new Uint8Array(SLOTS);
  const bits = new Uint16Array(SLOTS * BITS_PER_VALUE);
  return (bloom, value) => {
    const slot = slotOf(value);
    const isKnown = lengths[slot] === value.length && isEqual(values, slot * LONGEST_VALUE, value);
    if (!isKnown) {
      lengths[slot] = value.length;
      value.copy(values, slot * LONGEST_VALUE);
      const hash = keccak256(value);
      for (let bit = 0; bit < BITS_PER_VALUE; bit++) {
        const pair = ((hash[2 * bit] as number) << 8) | (hash[2 * bit + 1] as number);
        bits[slot * BITS_PER_VALUE + bit] = pair % BITS;
      }
    }
    for (let index = slot * BITS_PER_VALUE; index < (slot + 1) * BITS_PER_VALUE; index++) {
      const bit = bits[index] as number;
      const at = BLOOM - 1 - (bit >>> 3);
      bloom[at] = (bloom[at] as number) | (1 << (bit & 7));
    }
  };
}

/** The last bytes of addresses and topics differ most, as numbers end there. */
function slotOf(value: Buffer): number {
  const word = value.readInt32LE(value.length - 4) ^ Math.imul(value.readInt32LE(4), 31);
  return (Math.imul(word, 0x9e3779b1) >>> 18) & (SLOTS - 1);
}

function isEqual(values: Buffer, from: number, value: Buffer): boolean {
  for (let index = value.length - 1; index >= 0; index--) {
    if (values[from + index] !== value[index]) return false;
  }
  return true;
}
