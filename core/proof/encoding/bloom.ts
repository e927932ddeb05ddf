import { toHex } from './hex.ts';
import { hashTogether, keccak256 } from './keccak.ts';
import { HASH } from './keccak-kernel.ts';

/** Bytes of a bloom. */
export const BLOOM = 256;
const BITS = 8 * BLOOM;
/** Each address and each topic sets this many bits. */
const BITS_PER_VALUE = 3;

/** Addresses have 20 bytes and topics 32. */
const MAX_VALUE_BYTES = 32;
const MAX_VALUES = 1 << 14;
const SLOT_BITS = 15;
const MAX_USES = 1 << 13;

/** Returns the bloom of a receipt's logs as hex, for an answer that lacks it. */
export function bloomOf(
  logs: readonly { readonly address: string; readonly topics: readonly string[] }[],
): string {
  const bloom = Buffer.alloc(BLOOM);
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    for (const bit of bitsOf(value)) setBit(bloom, 0, bit);
  }
  return toHex(bloom);
}

/** Returns whether a bloom may cover logs of a contract. If it returns false, it covers none. */
export function mayContain(bloom: string, address: string): boolean {
  const bytes = Buffer.from(bloom.slice(2), 'hex');
  return bitsOf(address).every((bit) => ((bytes[BLOOM - 1 - (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0);
}

/** Returns the bits that an address or topic sets. */
function bitsOf(value: string): Uint16Array {
  const bits = new Uint16Array(BITS_PER_VALUE);
  readBits(keccak256(Buffer.from(value.slice(2), 'hex')), bits, 0);
  return bits;
}

function setBit(output: Buffer, bloom: number, bit: number): void {
  const at = bloom + BLOOM - 1 - (bit >>> 3);
  output[at] = (output[at] as number) | (1 << (bit & 7));
}

/** A writer of blooms. */
export interface Blooms {
  /** Adds the address or topic of 20 or 32 bytes at `from` in `bytes` to the bloom at `bloom` in `output`. */
  readonly add: (output: Buffer, bloom: number, bytes: DataView, from: number, length: number) => void;
  /** Sets the bits of all values that were added since the last call. */
  readonly finish: (output: Buffer) => void;
}

/**
 * Creates a writer of the blooms of receipts: https://ethereum.github.io/yellowpaper/paper.pdf, section 4.3.1. It hashes addresses and topics in one batch, and remembers the bits of recent ones: most values of a block
 * repeat, and hashing one takes much longer than finding it.
 */
export function createBlooms(): Blooms {
  const values = createValues();
  /** Positions of blooms, each with a value that it contains. */
  const blooms = new Uint32Array(MAX_USES);
  const used = new Uint16Array(MAX_USES);
  let uses = 0;
  const finish = (output: Buffer) => {
    values.hashNew();
    for (let use = 0; use < uses; use++) {
      const first = (used[use] as number) * BITS_PER_VALUE;
      for (let index = first; index < first + BITS_PER_VALUE; index++) {
        setBit(output, blooms[use] as number, values.bits[index] as number);
      }
    }
    uses = 0;
  };
  return {
    add: (output, bloom, bytes, from, length) => {
      if (uses === MAX_USES || values.isFull()) finish(output);
      if (values.isFull()) values.clear();
      blooms[uses] = bloom;
      used[uses] = values.numberOf(bytes, from, length);
      uses += 1;
    },
    finish,
  };
}

/** Creates a cache of values, which are numbered, and of the bits that they set. */
function createValues() {
  const bytes = new Uint8Array(MAX_VALUES * MAX_VALUE_BYTES);
  const words = new DataView(bytes.buffer);
  /** 0 for unused numbers. */
  const lengths = new Uint8Array(MAX_VALUES);
  const bits = new Uint16Array(MAX_VALUES * BITS_PER_VALUE);
  /** Numbers of values. A value replaces another in the same slot, so crafted values cost at most one hash each. */
  const slots = new Uint16Array(1 << SLOT_BITS);
  let count = 0;
  let hashed = 0;
  return {
    /** Valid for the values before the last `hashNew`. */
    bits,
    isFull: () => count === MAX_VALUES,
    clear: () => {
      lengths.fill(0);
      count = 0;
      hashed = 0;
    },
    numberOf: (source: DataView, from: number, length: number): number => {
      const slot = slotOf(source, from, length);
      const known = slots[slot] as number;
      const at = known * MAX_VALUE_BYTES;
      if (lengths[known] === length && isEqual(words, at, source, from, length)) return known;
      const number = count++;
      const to = number * MAX_VALUE_BYTES;
      for (let offset = 0; offset < length; offset += 4)
        words.setInt32(to + offset, source.getInt32(from + offset));
      lengths[number] = length;
      slots[slot] = number;
      return number;
    },
    hashNew: () => {
      const hashes = hashTogether((add) => {
        for (let value = hashed; value < count; value++) {
          const at = value * MAX_VALUE_BYTES;
          add(bytes, at, at + (lengths[value] as number));
        }
      });
      readBits(hashes, bits, hashed * BITS_PER_VALUE);
      hashed = count;
    },
  };
}

/** Reads the bits that values set from the first byte pairs of their hashes. */
function readBits(hashes: Uint8Array, bits: Uint16Array, to: number): void {
  let index = to;
  for (let hash = 0; hash < hashes.length; hash += HASH) {
    for (let at = hash; at < hash + 2 * BITS_PER_VALUE; at += 2) {
      bits[index++] = (((hashes[at] as number) << 8) | (hashes[at + 1] as number)) % BITS;
    }
  }
}

function slotOf(bytes: DataView, from: number, length: number): number {
  const ends = Math.imul(bytes.getInt32(from), 0x85ebca6b) ^ bytes.getInt32(from + length - 4);
  return Math.imul(ends ^ Math.imul(bytes.getInt32(from + 4), 31), 0x9e3779b1) >>> (32 - SLOT_BITS);
}

function isEqual(words: DataView, at: number, bytes: DataView, from: number, length: number): boolean {
  for (let offset = 0; offset < length; offset += 4) {
    if (words.getInt32(at + offset) !== bytes.getInt32(from + offset)) return false;
  }
  return true;
}
