import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { compress } from 'snappyjs';
import { createDecompressor, createRawDecompressor, loadChecksum, rawEnd } from '#core/blocks/era/snappy.ts';
import { EraFileError } from '#core/blocks/files/source.ts';
import { snappyFrames } from '#test/support/generators/files/era-files.ts';
import { loadE2store } from '#test/support/generators/files/other-era-file.ts';

beforeAll(loadChecksum);

const decompress = createDecompressor();

/** Bytes that repeat often, as blocks do. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 70, size: 'max' }), fc.integer({ min: 1, max: 60 })), {
    maxLength: 40,
    size: 'max',
  })
  .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))));

test('decompresses frames of the native library, and writes frames that it decompresses', async () => {
  const { compressData, decompressData } = await loadE2store();
  const large = fc.tuple(bytes, fc.integer({ min: 60_000, max: 140_000 })).map(([part, length]) =>
    // Chunks begin at 65,536 bytes.
    Buffer.alloc(length, part.length > 0 ? part : 0),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(bytes, fc.uint8Array({ minLength: 1, maxLength: 500, size: 'max' }), large),
      async (given) => {
        fc.pre(given.length > 0);
        expect(decompress(Buffer.from(await compressData(given))).equals(given)).toBe(true);
        expect(Buffer.from(await decompressData(snappyFrames(given))).equals(given)).toBe(true);
      },
    ),
  );
});

test('refuses frames with a changed byte, or decompresses them to the same bytes', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, change) => {
      const frames = snappyFrames(given);
      const index = at % frames.length;
      frames[index] = (frames[index] as number) ^ change;
      try {
        expect(decompress(frames).equals(given)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(EraFileError);
      }
    }),
  );
});

/** Bytes in the raw format, with what they decompress to. */
interface Raw {
  readonly input: Buffer;
  readonly output: Buffer;
}

const littleEndian = (value: number, width: number) => {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(value, 0, width);
  return bytes;
};
function varint(value: number): Buffer {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.push(rest & 0x7f);
  return Buffer.from(digits.map((digit, index) => (index < digits.length - 1 ? digit | 0x80 : digit)));
}

/** A literal whose length is in its tag, or in 1 to 4 bytes after it. */
const literal = (data: Buffer, width: number) =>
  Buffer.concat([
    Buffer.of((width === 0 ? data.length - 1 : 59 + width) << 2),
    ...(width === 0 ? [] : [littleEndian(data.length - 1, width)]),
    data,
  ]);
/** A copy with 1, 2 or 4 bytes of distance; the first has 3 more bits of it in its tag. */
const copyOf = (width: 1 | 2 | 4, size: number, distance: number) =>
  width === 1
    ? Buffer.of(1 | ((size - 4) << 2) | ((distance >> 8) << 5), distance & 0xff)
    : Buffer.concat([Buffer.of((width === 2 ? 2 : 3) | ((size - 1) << 2)), littleEndian(distance, width)]);

/** Any elements of the format: https://github.com/google/snappy/blob/main/format_description.txt. */
const anyElement = fc.oneof(
  fc.record({
    width: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
    data: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 70, size: 'max' }),
      fc.uint8Array({ minLength: 1_000, maxLength: 1_000 }),
    ),
  }),
  fc.record({
    copied: fc.constantFrom(1 as const, 2 as const, 4 as const),
    size: fc.integer({ min: 1, max: 64 }),
    distance: fc.integer({ min: 1, max: 3_000 }),
  }),
);
const raw: fc.Arbitrary<Raw> = fc.array(anyElement, { maxLength: 12, size: 'max' }).map((elements) => {
  const input: Buffer[] = [];
  let output = Buffer.alloc(0);
  for (const element of elements) {
    if ('data' in element) {
      const data = Buffer.from(element.data);
      const least = data.length <= 60 ? 0 : data.length <= 256 ? 1 : 2;
      input.push(literal(data, Math.max(least, element.width)));
      output = Buffer.concat([output, data]);
    } else if (output.length > 0) {
      const { copied } = element;
      const distance = Math.min(element.distance, output.length, copied === 1 ? 2_047 : 3_000);
      const size = copied === 1 ? 4 + (element.size % 8) : element.size;
      input.push(copyOf(copied, size, distance));
      for (let copy = 0; copy < size; copy++)
        output = Buffer.concat([output, output.subarray(-distance, output.length - distance + 1)]);
    }
  }
  return { input: Buffer.concat([varint(output.length), ...input]), output };
});

describe('the raw format', () => {
  const decompressRaw = createRawDecompressor();

  test('is decompressed from every element that it has', () => {
    fc.assert(
      fc.property(raw, ({ input, output }) => {
        expect(decompressRaw(input).equals(output)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('ends where its elements end, whatever follows, and nowhere before all of them are there', () => {
    fc.assert(
      fc.property(raw, fc.uint8Array({ maxLength: 9 }), fc.nat(), ({ input }, others, cut) => {
        const whole = Buffer.concat([others, input, others]);
        expect(rawEnd(whole, others.length)).toBe(others.length + input.length);
        expect(rawEnd(input.subarray(0, cut % input.length), 0)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('has a length of five bytes at most, and of the largest block', () => {
    const refused = Buffer.from('80808080800000', 'hex');
    expect(() => decompressRaw(refused)).toThrow('is invalid');
    for (const length of [5, 6, 7])
      expect(() => rawEnd(refused.subarray(0, length), 0)).toThrow('is invalid');
    expect(rawEnd(refused.subarray(0, 4), 0)).toBeUndefined();
    expect(rawEnd(refused.subarray(0, 5), 3)).toBeUndefined();
    expect(decompressRaw(Buffer.from('818080800000' + '61', 'hex')).toString()).toBe('a');
    const abc = compress(Buffer.from('abc'));
    expect(createRawDecompressor(3)(Buffer.from(abc)).toString()).toBe('abc');
    expect(() => createRawDecompressor(2)(Buffer.from(abc))).toThrow('is invalid');
  });

  test('may have 3 MB', () => {
    const large = Buffer.alloc(3_000_000, 'abcdefg');
    const input = Buffer.concat([varint(large.length), literal(large, 3)]);
    expect(decompressRaw(input).equals(large)).toBe(true);
    expect(rawEnd(input, 0)).toBe(input.length);
  });

  test('is refused where a literal is longer than stated, though it just fills the buffer of an earlier call', () => {
    const decompressTwice = createRawDecompressor();
    const stating = (length: number, data: Buffer) => Buffer.concat([varint(length), literal(data, 1)]);
    decompressTwice(stating(100, Buffer.alloc(100)));
    expect(() => decompressTwice(stating(200, Buffer.alloc(240)))).toThrow('is invalid');
  });

  test.each([
    ['a literal whose length is cut off', '05' + 'f4' + '00'],
    ['a literal that is cut off', '02' + '04' + '61'],
    ['a copy that is cut off', '05' + '0061' + '02' + '00'],
    ['a copy that is longer than stated', '04' + '0061' + '0101'],
  ])('is refused with %s', (_, input) => {
    expect(() => decompressRaw(Buffer.from(input, 'hex'))).toThrow(EraFileError);
  });
});

const IDENTIFIER = 'ff060000734e61507059';

/** A frame with one chunk; its checksum is zero. */
const chunk = (type: number, data: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.writeUIntLE(((data.length + 4) << 8) | type, 0, 4);
  return Buffer.concat([snappyFrames(Buffer.alloc(0)), head, data]);
};

test.each([
  [
    'frames without the stream identifier',
    chunk(0, compress(Buffer.from('a'))).subarray(10),
    'stream identifier',
  ],
  ['a chunk that ends early', snappyFrames(Buffer.from('abc')).subarray(0, -1), 'ends early'],
  ['a chunk whose header ends early', snappyFrames(Buffer.from('abc')).subarray(0, 12), 'ends early'],
  ['a chunk without space for a checksum', Buffer.from(`${IDENTIFIER}0003000000000000`, 'hex'), 'ends early'],
  ['a chunk without data, such as padding', chunk(0xfe, Buffer.from('a')), 'type 254, which holds no data'],
  ['a chunk that states more than 64 KiB', chunk(0, Buffer.from('818004', 'hex')), 'is invalid'],
  ['a raw chunk of more than 64 KiB', chunk(1, Buffer.alloc(65_537)), 'larger than 64 KiB'],
  ['a copy from before the output', chunk(0, Buffer.from('050061' + '0102', 'hex')), 'is invalid'],
  ['a copy from no distance', chunk(0, Buffer.from('050061' + '0100', 'hex')), 'is invalid'],
  ['output that is shorter than stated', chunk(0, Buffer.from('020061', 'hex')), 'is invalid'],
  ['output that is longer than stated', chunk(0, Buffer.from('01046162', 'hex')), 'is invalid'],
  ['a wrong checksum', chunk(1, Buffer.from('a')), 'the file is damaged'],
])('refuses %s', (_, frames, problem) => {
  expect(() => decompress(frames)).toThrow(problem);
});

test('accepts an empty chunk, and a raw one of 64 KiB', () => {
  expect(decompress(Buffer.from(`${IDENTIFIER}01040000d8ea82a2`, 'hex'))).toHaveLength(0);
  // Nothing that a compressor makes shorter.
  const random = createHash('shake256', { outputLength: 65_536 }).digest();
  expect(decompress(snappyFrames(random)).equals(random)).toBe(true);
});

test('decompresses an entry of many chunks, in which a copy does not reach into the chunk before', () => {
  const large = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at >> 7) & 0xff));
  expect(decompress(snappyFrames(large)).equals(large)).toBe(true);
  const first = snappyFrames(Buffer.from('abcd'));
  const copy = chunk(0, Buffer.from('04' + '0104', 'hex')).subarray(IDENTIFIER.length / 2);
  expect(() => decompress(Buffer.concat([first, copy]))).toThrow('is invalid');
});

test('refuses more than the given bytes, rounded up to chunks', () => {
  const [chunks, more] = [65_536, 65_537].map((length) => snappyFrames(Buffer.alloc(length)));
  const limited = createDecompressor(65_536);
  expect(limited(chunks as Buffer)).toHaveLength(65_536);
  expect(() => limited(more as Buffer)).toThrow('larger than any block');
  expect(createDecompressor(65_537)(more as Buffer)).toHaveLength(65_537);
});
