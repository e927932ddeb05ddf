import { createKernel, FREE, HASH, type Kernel, PAGE, RATE } from './keccak-kernel.ts';

/** Bytes for waiting messages with their padding. Longer messages are hashed one by one, in parts. */
const CAPACITY = 16 * PAGE;
const MAX_WAITING = Math.floor(CAPACITY / RATE);
/** Positions in memory. An idle half of the kernel writes to one of two unused places after the last hash. */
const HASHES = FREE;
const MESSAGES = HASHES + (MAX_WAITING + 2) * HASH;
const END = MESSAGES + CAPACITY;
/** Bytes of a part: whole blocks. */
const PART = MAX_WAITING * RATE;
/** The kernel begins with an empty state, or continues the one before. */
const EMPTY = 0;
const KEEP = -1;
/** Shorter parts are copied faster byte by byte. */
const LONG = 64;

/** Adds a message: `bytes`, or a part of them. The caller may change them afterwards. */
type Add = (bytes: Uint8Array, from?: number, to?: number) => void;

/** Created once, because compiled code becomes fast with use. */
let queue: ((addAll: (add: Add) => void) => Uint8Array) | undefined;

/** Returns the 32 bytes of keccak-256 of `bytes`. */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hashTogether((add) => add(bytes));

/**
 * Hashes messages with keccak-256 two at a time, about twice as fast as one after the other.
 * @param addAll adds them, and must not hash others
 * @returns their hashes of 32 bytes each, in the same order
 */
export function hashTogether(addAll: (add: Add) => void): Uint8Array {
  queue ??= createQueue();
  return queue(addAll);
}

function createQueue() {
  const { memory, absorb } = createKernel(Math.ceil(END / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  /** Positions of the messages that wait, and the end of the last. */
  const starts = new Uint32Array(MAX_WAITING + 1).fill(MESSAGES);
  let waiting = 0;
  let hashes: Uint8Array[] = [];
  const hashWaiting = () => {
    hashPairs(absorb, starts, waiting);
    hashes.push(bytes.slice(HASHES, HASHES + waiting * HASH));
    waiting = 0;
  };
  const add: Add = (source, from = 0, to = source.length) => {
    const length = to - from;
    const padded = length - (length % RATE) + RATE;
    if (padded > CAPACITY) {
      hashWaiting();
      hashLong(absorb, bytes, source.subarray(from, to));
      hashes.push(bytes.slice(HASHES, HASHES + HASH));
      return;
    }
    if ((starts[waiting] as number) + padded > END) hashWaiting();
    const start = starts[waiting] as number;
    copy(source, from, to, bytes, start);
    pad(bytes, start + length, start + padded);
    waiting += 1;
    starts[waiting] = start + padded;
  };
  return (addAll: (add: Add) => void): Uint8Array => {
    waiting = 0;
    hashes = [];
    addAll(add);
    hashWaiting();
    return Buffer.concat(hashes);
  };
}

function copy(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): void {
  if (to - from === source.length) target.set(source, at);
  else if (to - from > LONG) target.set(source.subarray(from, to), at);
  else for (let index = from; index < to; index++) target[at + index - from] = source[index] as number;
}

/** Pads a message as the original Keccak does, not as SHA-3. */
function pad(bytes: Uint8Array, from: number, to: number): void {
  bytes.fill(0, from, to);
  bytes[from] = 0x01;
  bytes[to - 1] = (bytes[to - 1] as number) | 0x80;
}

/** Hashes a message that exceeds the memory, in one half of the kernel. */
function hashLong(absorb: Kernel['absorb'], bytes: Uint8Array, message: Uint8Array): void {
  let keep = EMPTY;
  for (let at = 0; at <= message.length; at += PART) {
    const part = message.subarray(at, at + PART);
    bytes.set(part, MESSAGES);
    const end = MESSAGES + part.length - (part.length % RATE) + (part.length < PART ? RATE : 0);
    if (part.length < PART) pad(bytes, MESSAGES + part.length, end);
    for (let block = MESSAGES; block < end; block += RATE) {
      absorb(block, MESSAGES, keep, EMPTY, HASHES, HASHES + HASH);
      keep = KEEP;
    }
  }
}

/** Hashes messages in both halves of the kernel: a half that has finished a message takes the next one. */
function hashPairs(absorb: Kernel['absorb'], starts: Uint32Array, count: number): void {
  const startOf = (message: number) => (message < count ? (starts[message] as number) : MESSAGES);
  const isAtEnd = (at: number, message: number) => message < count && at === starts[message + 1];
  let a = 0;
  let b = 1;
  let next = 2;
  let atA = startOf(a);
  let atB = startOf(b);
  while (a < count || b < count) {
    const keepA = atA === startOf(a) ? EMPTY : KEEP;
    const keepB = atB === startOf(b) ? EMPTY : KEEP;
    absorb(atA, atB, keepA, keepB, HASHES + a * HASH, HASHES + b * HASH);
    atA += RATE;
    atB += RATE;
    if (isAtEnd(atA, a)) {
      a = next++;
      atA = startOf(a);
    }
    if (isAtEnd(atB, b)) {
      b = next++;
      atB = startOf(b);
    }
  }
}
