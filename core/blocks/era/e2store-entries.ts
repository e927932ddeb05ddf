import { EraFileError, type RandomAccess } from '../files/source.ts';

/** Types of e2store entries as little-endian numbers: https://github.com/eth-clients/e2store-format-specs types/. */
export const ENTRY_TYPES = {
  version: 0x3265,
  header: 0x0003,
  body: 0x0004,
  receipts: 0x0005,
  totalDifficulty: 0x0006,
  slimReceipts: 0x000a,
  proof: 0x000b,
  blockIndex: 0x3266,
  dynamicBlockIndex: 0x3267,
} as const;

/** An entry's header: type, length of the data, and two bytes that are zero. */
export const ENTRY_HEADER = 8;

/**
 * Reads the header of an entry, and returns the length of its data.
 * @throws EraFileError when the entry has another type, or is larger than any block
 */
export function entryLength(bytes: Buffer, at: number, type: number): number {
  const found = bytes.readUInt16LE(at);
  if (found !== type || bytes.readUInt16LE(at + 6) !== 0) {
    throw new EraFileError(`an entry of type ${hex(type)} was expected, and ${hex(found)} was found`);
  }
  const length = bytes.readUInt32LE(at + 2);
  if (length > MAX_ENTRY) throw new EraFileError('an entry is larger than any block');
  return length;
}

const hex = (type: number): string => `0x${type.toString(16).padStart(4, '0')}`;

/** Bytes that hold most headers, so that one read suffices. */
const GUESS = 1_024;

/**
 * Reads one entry.
 * @param end position in the file before which it must end
 * @throws EraFileError, UnreadableError
 */
export async function readEntry(file: RandomAccess, at: number, end: number, type: number): Promise<Buffer> {
  if (!(at >= 0 && at + ENTRY_HEADER <= end && end <= file.size))
    throw new EraFileError('its index points outside of it');
  const bytes = await file.read(at, Math.min(at + GUESS, end));
  const data = at + ENTRY_HEADER;
  const to = data + entryLength(bytes, 0, type);
  if (to > end) throw new EraFileError('the file ends early');
  return to - at <= bytes.length ? bytes.subarray(ENTRY_HEADER, to - at) : file.read(data, to);
}

/** Bytes of a request, with one more request ahead: enough to hide latency, and little of the memory of a function. */
const WINDOW = 4 << 20;

/**
 * Bytes. Eight times the receipts of a full block of Ethereum at 60 million gas, at 8 gas a byte of logs. A block has 10 MiB at most:
 * https://eips.ethereum.org/EIPS/eip-7934.
 */
export const MAX_ENTRY = 64_000_000;

/** The entries of a part of a file, in order. */
interface Entries {
  /** Position of the next entry in the file. */
  readonly position: () => number;
  /** Returns the data of the next entry. @throws EraFileError, UnreadableError */
  readonly next: (type: number) => Promise<Buffer>;
}

/** Reads entries in order from a part of a file, with the next window requested before it is needed. */
export function createEntries(file: RandomAccess, from: number, end: number): Entries {
  if (!(from >= 0 && from <= end && end <= file.size))
    throw new EraFileError('its index points outside of it');
  let window: Buffer = Buffer.alloc(0);
  let at = 0;
  /** Position of the first byte after the window. */
  let fetched = from;
  let ahead: Promise<Buffer> | undefined;
  const request = () => {
    const next = file.read(fetched, Math.min(fetched + WINDOW, end));
    // Awaited later, if at all.
    next.catch(() => {});
    return next;
  };
  const need = async (bytes: number) => {
    if (at + bytes - window.length > end - fetched) throw new EraFileError('the file ends early');
    while (window.length - at < bytes) {
      const next = await (ahead ?? request());
      fetched += next.length;
      window = at === window.length ? next : Buffer.concat([window.subarray(at), next]);
      at = 0;
      ahead = fetched < end ? request() : undefined;
    }
  };
  return {
    position: () => fetched - window.length + at,
    next: async (type) => {
      if (window.length - at < ENTRY_HEADER) await need(ENTRY_HEADER);
      const length = entryLength(window, at, type);
      if (window.length - at < ENTRY_HEADER + length) await need(ENTRY_HEADER + length);
      const data = window.subarray(at + ENTRY_HEADER, at + ENTRY_HEADER + length);
      at += ENTRY_HEADER + length;
      return data;
    },
  };
}
