import { ProofError } from './types.ts';

/** A value that a node may leave out. */
export type Optional = string | null | undefined;

/**
 * Writes RLP from its end to its beginning: a list is written last item first and its header last, so its length is known by
 * then and nothing is measured or moved. Hex goes straight into one buffer that is kept and reused.
 * The methods with a `field` check the hex that they write, and throw ProofError naming that field.
 */
export interface RlpWriter {
  /** Bytes written so far: a mark for `list`, `since` and `truncate`. */
  size(): number;
  /** A byte string, such as `0x` or `0xa9059cbb`. */
  data(hex: Optional, field: string): void;
  /** A byte string of exactly `length` bytes. */
  fixed(hex: Optional, length: number, field: string): void;
  /** An integer of at most 32 bytes: leading zeros do not count, and zero is the empty string. */
  quantity(hex: Optional, field: string): void;
  /** A byte string that is at hand as bytes. */
  bytes(bytes: Uint8Array): void;
  empty(): void;
  /** A byte outside RLP, such as a transaction's type. */
  rawByte(byte: number): void;
  /** Bytes outside RLP. */
  rawData(hex: Optional, field: string): void;
  /** Makes a list of all that was written since `mark`. */
  list(mark: number): void;
  /** The bytes written since `mark`, valid until more is written. */
  since(mark: number): Uint8Array;
  /** The bytes written between two marks, valid until more is written. */
  between(mark: number, end: number): Uint8Array;
  /** Takes back all that was written since `mark`. */
  truncate(mark: number): void;
}

const SHORT_STRING = 0x80;
const LONG_STRING = 0xb7;
const SHORT_LIST = 0xc0;
const LONG_LIST = 0xf7;
/** Longer strings and lists have their length in bytes of its own. */
const LONGEST_SHORT = 55;
const LONGEST_QUANTITY = 32;
const ZERO = 0x30;
const INVALID = 0xff;

const DIGITS = new Uint8Array(128).fill(INVALID);
for (let digit = 0; digit < 16; digit++) {
  DIGITS[digit.toString(16).charCodeAt(0)] = digit;
  DIGITS[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}
/** Value of the hex digit at an index, or `INVALID`. */
const digitAt = (hex: string, index: number): number => DIGITS[hex.charCodeAt(index)] ?? INVALID;

export function rlpWriter(): RlpWriter {
  let buffer = Buffer.allocUnsafeSlow(1 << 18);
  /** Index of the first byte written; all after it is written. */
  let start = buffer.length;

  /** Makes room for `length` more bytes, and returns the index of the first. */
  function reserve(length: number): number {
    if (length > start) {
      const written = buffer.subarray(start);
      buffer = Buffer.allocUnsafeSlow(2 * (buffer.length + length));
      buffer.set(written, buffer.length - written.length);
      start = buffer.length - written.length;
    }
    start -= length;
    return start;
  }

  const rawByte = (byte: number): void => {
    buffer[reserve(1)] = byte;
  };

  function header(length: number, short: number, long: number): void {
    if (length <= LONGEST_SHORT) {
      rawByte(short + length);
      return;
    }
    let lengthBytes = 0;
    for (let rest = length; rest > 0; rest >>>= 8) {
      rawByte(rest & 0xff);
      lengthBytes++;
    }
    rawByte(long + lengthBytes);
  }

  const stringHeader = (length: number): void => {
    const isItsOwnHeader = length === 1 && (buffer[start] ?? SHORT_STRING) < SHORT_STRING;
    if (!isItsOwnHeader) header(length, SHORT_STRING, LONG_STRING);
  };

  function rawData(hex: Optional, field: string): number {
    const digits = prefixed(hex, field).length - 2;
    const length = digits >>> 1;
    const at = reserve(length);
    const isWhole =
      digits === 2 * length && buffer.write((hex as string).slice(2), at, length, 'hex') === length;
    if (!isWhole) throw new ProofError(field, `${shown(hex)} is not hex of whole bytes`);
    return length;
  }

  return {
    size: () => buffer.length - start,
    rawByte,
    rawData,
    data: (hex, field) => stringHeader(rawData(hex, field)),
    fixed(hex, length, field) {
      if (rawData(hex, field) !== length) throw new ProofError(field, `${shown(hex)} is not ${length} bytes`);
      stringHeader(length);
    },
    quantity(hex, field) {
      const text = prefixed(hex, field);
      let first = 2;
      while (text.charCodeAt(first) === ZERO) first++;
      const length = (text.length - first + 1) >>> 1;
      if (length > LONGEST_QUANTITY || text.length === 2) {
        throw new ProofError(field, `${shown(hex)} is not a hex quantity`);
      }
      const end = reserve(length) + length;
      for (let at = end - 1, index = text.length - 1; index >= first; at--, index -= 2) {
        const high = index > first ? digitAt(text, index - 1) : 0;
        const low = digitAt(text, index);
        if ((high | low) > 0xf) throw new ProofError(field, `${shown(hex)} is not a hex quantity`);
        buffer[at] = (high << 4) | low;
      }
      stringHeader(length);
    },
    bytes(bytes) {
      buffer.set(bytes, reserve(bytes.length));
      stringHeader(bytes.length);
    },
    empty: () => rawByte(SHORT_STRING),
    list: (mark) => header(buffer.length - start - mark, SHORT_LIST, LONG_LIST),
    since: (mark) => new Uint8Array(buffer.buffer, start, buffer.length - start - mark),
    between: (mark, end) => new Uint8Array(buffer.buffer, buffer.length - end, end - mark),
    truncate(mark) {
      start = buffer.length - mark;
    },
  };
}

/** @throws ProofError when a value is absent or does not begin with 0x */
function prefixed(hex: Optional, field: string): string {
  if (typeof hex !== 'string') throw new ProofError(field, 'the node left it out');
  const hasPrefix = hex.charCodeAt(0) === ZERO && (hex.charCodeAt(1) | 0x20) === 0x78;
  if (!hasPrefix) throw new ProofError(field, `${shown(hex)} does not begin with 0x`);
  return hex;
}

const LONGEST_SHOWN = 66;
const shown = (hex: Optional): string =>
  hex && hex.length > LONGEST_SHOWN ? `${hex.slice(0, LONGEST_SHOWN)}…` : `${hex}`;
