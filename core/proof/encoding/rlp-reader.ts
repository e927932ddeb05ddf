import { ProofError } from './proof-error.ts';
import { LONG_LIST, LONG_STRING, MAX_QUANTITY, MAX_SHORT, SHORT_LIST, SHORT_STRING } from './rlp.ts';

/** A JavaScript number holds integers of up to this many bytes exactly. */
const SAFE_BYTES = 6;
/** Four bytes of length reach 4 GB, more than any list of a block has. */
const MAX_LENGTH_BYTES = 4;

/**
 * Reads the items of an RLP list in order, without copying them. It accepts only canonical RLP, which is what `RlpWriter`
 * writes: https://ethereum.org/developers/docs/data-structures-and-encoding/rlp/. All methods throw ProofError naming `field`.
 */
export class RlpReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  /** The item that `#next` found last: its kind, and its content. */
  #isList = false;
  #from = 0;
  #to = 0;

  /** Reads the items from the byte `from` to the one before `end`. */
  constructor(bytes: Buffer, from = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Returns a reader of the items in the next item, which must be a list. */
  list(field: string): RlpReader {
    this.#nextList(field);
    return new RlpReader(this.#bytes, this.#from, this.#to);
  }

  /** Enters the next item, which must be a list. Returns a mark for `leave`. */
  enter(field: string): number {
    this.#nextList(field);
    const mark = this.#end;
    this.#at = this.#from;
    this.#end = this.#to;
    return mark;
  }

  /** Leaves a list. All its items must have been read. */
  leave(mark: number, field: string): void {
    if (!this.isAtEnd()) throw new ProofError(field, 'it has more members than are known here');
    this.#end = mark;
  }

  position(): number {
    return this.#at;
  }

  end(): number {
    return this.#end;
  }

  /** Skips a byte string of exactly `length` bytes, and returns the position of its content. */
  fixedAt(length: number, field: string): number {
    this.#string(field);
    if (this.#to - this.#from === length) return this.#from;
    throw new ProofError(field, `${this.#to - this.#from} bytes are not ${length}`);
  }

  skip(field: string): void {
    this.#next(field);
  }

  /** Skips all further items, and returns their number. */
  count(field: string): number {
    let count = 0;
    for (; !this.isAtEnd(); count++) this.#next(field);
    return count;
  }

  /** Returns the next item with its RLP header if it is a list, else its content. */
  payload(field: string): Buffer {
    const begin = this.#at;
    this.#next(field);
    return this.#bytes.subarray(this.#isList ? begin : this.#from, this.#to);
  }

  /** Returns the next `count` items as they are, with their RLP headers. */
  items(count: number, field: string): Buffer {
    const begin = this.#at;
    for (let item = 0; item < count; item++) this.#next(field);
    return this.#bytes.subarray(begin, this.#at);
  }

  /** Returns a byte string as hex. */
  data(field: string): string {
    this.#string(field);
    return this.#hex();
  }

  /** Returns a byte string of exactly `length` bytes as hex. */
  fixed(length: number, field: string): string {
    this.fixedAt(length, field);
    return this.#hex();
  }

  /** Returns an integer of at most 32 bytes as hex. */
  quantity(field: string): string {
    return this.#integerLength(field) === 0 ? '0x0' : this.#hex();
  }

  /** Returns an integer of at most 32 bytes. */
  integer(field: string): bigint {
    const length = this.#integerLength(field);
    if (length === 0) return 0n;
    if (length <= SAFE_BYTES) return BigInt(this.#bytes.readUIntBE(this.#from, length));
    return BigInt(this.#hex());
  }

  #hex(): string {
    return `0x${this.#bytes.toString('hex', this.#from, this.#to)}`;
  }

  #integerLength(field: string): number {
    this.#string(field);
    const length = this.#to - this.#from;
    const isInteger = length <= MAX_QUANTITY && (length === 0 || this.#bytes[this.#from] !== 0);
    if (!isInteger) throw new ProofError(field, 'its RLP is not an integer');
    return length;
  }

  #nextList(field: string): void {
    this.#next(field);
    if (!this.#isList) throw new ProofError(field, 'its RLP is not a list');
  }

  #string(field: string): void {
    this.#next(field);
    if (this.#isList) throw new ProofError(field, 'its RLP is a list');
  }

  /** Finds the next item, and moves past it. */
  #next(field: string): void {
    const first = this.#byteAt(this.#at, field);
    this.#isList = first >= SHORT_LIST;
    if (first < SHORT_STRING) {
      this.#from = this.#at;
      this.#to = this.#at + 1;
    } else {
      const length = this.#length(first, field);
      this.#to = this.#from + length;
      if (this.#to > this.#end) throw new ProofError(field, 'its RLP is longer than its list');
      const isItsOwnHeader = first === SHORT_STRING + 1 && (this.#bytes[this.#from] as number) < SHORT_STRING;
      if (isItsOwnHeader) throw notCanonical(field);
    }
    this.#at = this.#to;
  }

  /** Reads the header of an item, and returns the length of its content. */
  #length(first: number, field: string): number {
    const long = this.#isList ? LONG_LIST : LONG_STRING;
    if (first <= long) {
      this.#from = this.#at + 1;
      return first - (this.#isList ? SHORT_LIST : SHORT_STRING);
    }
    const lengthBytes = first - long;
    if (lengthBytes > MAX_LENGTH_BYTES) throw new ProofError(field, 'its RLP is too long');
    let length = 0;
    for (let at = this.#at + 1; at <= this.#at + lengthBytes; at++) {
      length = length * 256 + this.#byteAt(at, field);
    }
    // Otherwise fewer bytes would hold the length.
    if (length <= MAX_SHORT || this.#bytes[this.#at + 1] === 0) throw notCanonical(field);
    this.#from = this.#at + 1 + lengthBytes;
    return length;
  }

  #byteAt(at: number, field: string): number {
    if (at < this.#end) return this.#bytes[at] as number;
    throw new ProofError(field, 'its RLP ends early');
  }
}

const notCanonical = (field: string): ProofError => new ProofError(field, 'its RLP is not canonical');

/** Returns a reader of the list that fills `bytes`, or the bytes from `from` on. @throws ProofError naming `field` */
export function createListReader(bytes: Uint8Array, field: string, from = 0): RlpReader {
  const items = new RlpReader(asBuffer(bytes), from);
  items.enter(field);
  if (items.end() === bytes.length) return items;
  throw new ProofError(field, 'bytes follow its RLP');
}

/** Returns the same bytes as a Buffer. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
