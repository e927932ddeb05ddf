import { DIGITS, hexOf, NO_DIGIT, shown } from './hex.ts';
import { inElement, ProofError } from './proof-error.ts';

export const SHORT_STRING = 0x80;
export const LONG_STRING = 0xb7;
export const SHORT_LIST = 0xc0;
export const LONG_LIST = 0xf7;
/** The header of a longer string or list holds its length in further bytes. */
export const MAX_SHORT = 55;
export const MAX_QUANTITY = 32;
const ZERO = 0x30;

/** Returns the value of the hex digit at an index, or `NO_DIGIT`. */
const digitAt = (hex: string, index: number): number => DIGITS[hex.charCodeAt(index)] ?? NO_DIGIT;

/**
 * Writes RLP from its end to its beginning. The last item of a list is written first and its header last, when its length is known, so
 * nothing is measured or moved. Hex is decoded into one buffer, which is reused.
 * Methods with a `field` check what a node gave, and throw ProofError naming that field. A mark is a `size`.
 */
export class RlpWriter {
  #buffer = Buffer.allocUnsafeSlow(1 << 18);
  /** Index of the first written byte. All bytes after it are written too. */
  #start = this.#buffer.length;

  size(): number {
    return this.#buffer.length - this.#start;
  }

  /** Writes a byte string, such as `0x` or `0xa9059cbb`. */
  data(hex: unknown, field: string): void {
    this.#stringHeader(this.rawData(hex, field));
  }

  /** Writes a byte string of exactly `length` bytes. */
  fixed(hex: unknown, length: number, field: string): void {
    if (this.rawData(hex, field) !== length)
      throw new ProofError(field, `${shown(hex)} is not ${length} bytes`);
    this.#stringHeader(length);
  }

  /** Writes an integer of at most 32 bytes without leading zeros. Zero is the empty string. */
  quantity(hex: unknown, field: string): void {
    const text = prefixed(hex, field);
    let first = 2;
    while (text.charCodeAt(first) === ZERO) first++;
    const length = (text.length - first + 1) >>> 1;
    // More digits, of leading zeros, would be another value for those who read at most 32 bytes.
    if (text.length > 2 + 2 * MAX_QUANTITY || text.length === 2) throw notQuantity(hex, field);
    const end = this.#reserve(length) + length;
    for (let at = end - 1, index = text.length - 1; index >= first; at--, index -= 2) {
      const high = index > first ? digitAt(text, index - 1) : 0;
      const low = digitAt(text, index);
      if ((high | low) > 0xf) throw notQuantity(hex, field);
      this.#buffer[at] = (high << 4) | low;
    }
    this.#stringHeader(length);
  }

  bytes(bytes: Uint8Array): void {
    this.rawBytes(bytes);
    this.#stringHeader(bytes.length);
  }

  empty(): void {
    this.rawByte(SHORT_STRING);
  }

  /** Turns everything written since `mark` into a byte string. */
  string(mark: number): void {
    this.#stringHeader(this.size() - mark);
  }

  /** Turns everything written since `mark` into a list. */
  list(mark: number): void {
    this.#header(this.size() - mark, SHORT_LIST, LONG_LIST);
  }

  /** Writes a byte without an RLP header, such as a transaction's type. */
  rawByte(byte: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = byte;
  }

  /** Writes bytes as they are, such as items in RLP. */
  rawBytes(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** Writes hex without an RLP header, and returns the number of bytes. */
  rawData(hex: unknown, field: string): number {
    const digits = prefixed(hex, field).slice(2);
    const length = digits.length >>> 1;
    const at = this.#reserve(length);
    const isWhole = digits.length === 2 * length && this.#buffer.write(digits, at, length, 'hex') === length;
    if (!isWhole) throw new ProofError(field, `${shown(hex)} is not hex of whole bytes`);
    return length;
  }

  /** Returns the bytes written since `mark`, valid until more is written. */
  since(mark: number): Uint8Array {
    return this.between(mark, this.size());
  }

  /** Returns the bytes written between two marks, valid until more is written. */
  between(mark: number, end: number): Uint8Array {
    return new Uint8Array(this.#buffer.buffer, this.#buffer.length - end, end - mark);
  }

  /** Removes everything written since `mark`. */
  truncate(mark: number): void {
    this.#start = this.#buffer.length - mark;
  }

  /** Makes room for `length` more bytes, and returns the index of the first. May replace the buffer. */
  #reserve(length: number): number {
    if (length > this.#start) this.#grow(length);
    this.#start -= length;
    return this.#start;
  }

  #grow(length: number): void {
    const written = this.#buffer.subarray(this.#start);
    this.#buffer = Buffer.allocUnsafeSlow(2 * (this.#buffer.length + length));
    this.#start = this.#buffer.length - written.length;
    this.#buffer.set(written, this.#start);
  }

  #stringHeader(length: number): void {
    const isItsOwnHeader = length === 1 && (this.#buffer[this.#start] ?? SHORT_STRING) < SHORT_STRING;
    if (!isItsOwnHeader) this.#header(length, SHORT_STRING, LONG_STRING);
  }

  #header(length: number, short: number, long: number): void {
    if (length <= MAX_SHORT) {
      this.rawByte(short + length);
      return;
    }
    let lengthBytes = 0;
    for (let rest = length; rest > 0; rest >>>= 8) {
      this.rawByte(rest & 0xff);
      lengthBytes++;
    }
    this.rawByte(long + lengthBytes);
  }
}

/** @throws ProofError when a value is absent or does not begin with 0x */
function prefixed(value: unknown, field: string): string {
  const hex = typeof value === 'string' ? value : hexOf(value, field);
  const hasPrefix = hex.charCodeAt(0) === ZERO && (hex.charCodeAt(1) | 0x20) === 0x78;
  if (!hasPrefix) throw new ProofError(field, 'it does not begin with 0x');
  return hex;
}

const notQuantity = (hex: unknown, field: string): ProofError =>
  new ProofError(field, `${shown(hex)} is not a hex quantity`);

/** Writes one member of an answer as RLP. */
export type Field<T = Readonly<Record<string, unknown>>> = (writer: RlpWriter, source: T) => void;

export function quantity(name: string): Field {
  return (writer, source) => writer.quantity(source[name], name);
}

export function data(name: string): Field {
  return (writer, source) => writer.data(source[name], name);
}

export function fixed(name: string, length: number): Field {
  return (writer, source) => writer.fixed(source[name], length, name);
}

/**
 * Returns what `write` writes for each element, valid until more is written. Slices only at the end, because the buffer may grow.
 * @throws ProofError naming the element of `list`
 */
export function writeEach<T>(
  writer: RlpWriter,
  list: string,
  sources: readonly T[],
  write: (source: T, index: number) => void,
): readonly Uint8Array[] {
  writer.truncate(0);
  const ends = sources.map((source, index) => {
    inElement(list, index, () => write(source, index));
    return writer.size();
  });
  return ends.map((end, index) => writer.between(ends[index - 1] ?? 0, end));
}

/** Writes the list of `fields`, from the last to the first. */
export function writeList<T>(writer: RlpWriter, fields: readonly Field<T>[], source: T): void {
  const mark = writer.size();
  for (let index = fields.length - 1; index >= 0; index--) (fields[index] as Field<T>)(writer, source);
  writer.list(mark);
}
