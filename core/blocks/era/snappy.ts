import { createCRC32, type IHasher } from 'hash-wasm';
import { EraFileError } from '../files/source.ts';
import { MAX_ENTRY } from './e2store-entries.ts';

/*
 * The snappy framing format, https://github.com/google/snappy/blob/main/framing_format.txt, and the raw compressed format inside it,
 * https://github.com/google/snappy/blob/main/format_description.txt. Each chunk decompresses to 64 KiB at most, so small input
 * cannot make large output.
 */

const COMPRESSED = 0x00;
const UNCOMPRESSED = 0x01;
const STREAM_IDENTIFIER = Buffer.from('ff060000734e61507059', 'hex');
const CHUNK_HEADER = 4;
const CHECKSUM = 4;
const MAX_CHUNK = 65_536;

const CRC32C_POLYNOMIAL = 0x82f63b78;
let crc32c: IHasher | undefined;

/** Compiles the WebAssembly of the checksum. Await it once, before the first use; later calls return at once. */
export async function loadChecksum(): Promise<void> {
  crc32c ??= await createCRC32(CRC32C_POLYNOMIAL);
}

/**
 * Returns a function that decompresses a stream of frames into a buffer of its own. The result is valid until the next call.
 * @param max bytes of output, rounded up to chunks of 64 KiB
 */
export function createDecompressor(max = MAX_ENTRY): (frames: Buffer) => Buffer {
  let output: Buffer = Buffer.alloc(0);
  /** @throws EraFileError */
  return (frames: Buffer): Buffer => {
    if (!frames.subarray(0, STREAM_IDENTIFIER.length).equals(STREAM_IDENTIFIER)) {
      throw new EraFileError('an entry does not begin with the stream identifier of snappy');
    }
    let length = 0;
    let at = STREAM_IDENTIFIER.length;
    while (at < frames.length) {
      const { isCompressed, from, to } = chunkAt(frames, at);
      if (length >= max) throw new EraFileError('an entry is larger than any block');
      output = grown(output, length, length + MAX_CHUNK);
      const end = isCompressed
        ? decompress(frames, from, to, output, length)
        : length + frames.copy(output, length, from, to);
      checkChecksum(frames.readUInt32LE(from - CHECKSUM), output.subarray(length, end));
      at = to;
      length = end;
    }
    return output.subarray(0, length);
  };
}

/**
 * Returns a function that decompresses the raw format, without frames or checksums. The proof of the block finds damage.
 * @param max bytes of output
 */
export function createRawDecompressor(max = MAX_ENTRY): (input: Buffer) => Buffer {
  let output: Buffer = Buffer.alloc(0);
  return (input: Buffer): Buffer => {
    const { length } = readLength(input, 0, input.length, max);
    output = grown(output, 0, length);
    return output.subarray(0, decompress(input, 0, input.length, output, 0, max));
  };
}

/**
 * Finds the end of raw compressed data by its elements.
 * @returns undefined when more bytes are needed
 * @throws EraFileError when it has more than any block
 */
export function rawEnd(input: Buffer, from: number): number | undefined {
  const hasLength = input.length - from >= MAX_VARINT || input.subarray(from).some((byte) => byte < 0x80);
  if (!hasLength) return undefined;
  const { length, at: start } = readLength(input, from, input.length, MAX_ENTRY);
  let at = start;
  for (let out = 0; out < length; ) {
    const tag = input[at];
    if (tag === undefined) return undefined;
    const { size, bytes } = elementAt(input, at, tag);
    at += 1 + bytes;
    out += size;
    if (at > input.length) return undefined;
  }
  return at;
}

/** Bytes of the longest length: 64 MB need four. */
const MAX_VARINT = 5;

/** Returns the bytes that an element stands for, and those that follow its tag, of which the input may lack the last. */
function elementAt(input: Buffer, at: number, tag: number) {
  if ((tag & 3) === 1) return { size: ((tag >>> 2) & 7) + 4, bytes: 1 };
  if ((tag & 3) !== 0) return { size: (tag >>> 2) + 1, bytes: (tag & 3) === 3 ? 4 : 2 };
  const short = tag >>> 2;
  if (short < 60) return { size: short + 1, bytes: short + 1 };
  const width = short - 59;
  const size = literalSize(input, at + 1, width);
  return { size, bytes: width + size };
}

/** Reads the length of a literal from the bytes after its tag. Those that the input lacks count as zero. */
const literalSize = (input: Buffer, at: number, width: number): number =>
  input.subarray(at, at + width).reduceRight((sum, digit) => 256 * sum + digit, 0) + 1;

/** Returns where the data of a chunk begins, after its checksum, and ends. */
function chunkAt(frames: Buffer, at: number) {
  const from = at + CHUNK_HEADER + CHECKSUM;
  const to = from > frames.length ? from : at + CHUNK_HEADER + frames.readUIntLE(at + 1, 3);
  if (to > frames.length || to < from) throw new EraFileError('a snappy chunk ends early');
  const type = frames[at];
  // Era files have no padding or other chunks that a reader may skip.
  if (type !== COMPRESSED && type !== UNCOMPRESSED)
    throw new EraFileError(`a snappy chunk has the type ${type}, which holds no data`);
  if (type === UNCOMPRESSED && to - from > MAX_CHUNK)
    throw new EraFileError('a snappy chunk is larger than 64 KiB');
  return { isCompressed: type === COMPRESSED, from, to };
}

function grown(output: Buffer, length: number, needed: number): Buffer {
  if (needed <= output.length) return output;
  const larger = Buffer.allocUnsafeSlow(2 * needed);
  output.copy(larger, 0, 0, length);
  return larger;
}

/** Chunks state a masked checksum of what they decompress to. It finds damage early; the proof finds the rest. */
function checkChecksum(stated: number, bytes: Buffer): void {
  if (!crc32c) throw new Error('Cannot check: the checksum is not loaded. Await loadChecksum() first.');
  crc32c.init();
  crc32c.update(bytes);
  const checksum = Buffer.from(crc32c.digest('binary')).readUInt32BE();
  const masked = (((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0;
  if (masked !== stated) throw new EraFileError('a checksum differs, so the file is damaged');
}

const invalid = (): EraFileError => new EraFileError('a snappy chunk is invalid');

/** Bytes. Shorter literals are faster to copy byte by byte. */
const LONG_LITERAL = 48;

/** Decompresses the raw format behind the output so far. @returns the end of the output */
function decompress(input: Buffer, from: number, to: number, output: Buffer, begin: number, max = MAX_CHUNK) {
  const { length, at: start } = readLength(input, from, to, max);
  const end = begin + length;
  let at = start;
  let out = begin;
  while (at < to) {
    const tag = input[at] as number;
    at += 1;
    if ((tag & 3) === 0) {
      let size = (tag >>> 2) + 1;
      if (size > 60) {
        const width = size - 60;
        size = literalSize(input, at, width);
        at += width;
      }
      const next = at + size;
      if (next > to) throw invalid();
      if (size > LONG_LITERAL) {
        input.copy(output, out, at, next);
        out += size;
      } else for (; at < next; at++, out++) output[out] = input[at] as number;
      at = next;
      continue;
    }
    const bytes = (tag & 3) === 3 ? 4 : tag & 3;
    if (at + bytes > to) throw invalid();
    const isShort = bytes === 1;
    const size = isShort ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const distance = isShort ? ((tag >>> 5) << 8) | (input[at] as number) : input.readUIntLE(at, bytes);
    at += bytes;
    if (distance === 0 || distance > out - begin) throw invalid();
    for (let last = out + size; out < last; out++) output[out] = output[out - distance] as number;
  }
  // More than that was written into space that is not used, or nowhere.
  if (out !== end) throw invalid();
  return end;
}

/** Reads the length of the output, a varint. */
function readLength(input: Buffer, from: number, to: number, max: number) {
  let length = 0;
  for (let at = from; at < Math.min(to, from + MAX_VARINT); at++) {
    const byte = input[at] as number;
    length += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80 && length <= max) return { length, at: at + 1 };
  }
  throw invalid();
}
