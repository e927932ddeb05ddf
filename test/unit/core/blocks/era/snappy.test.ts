import fc from 'fast-check';
import { compress } from 'snappyjs';
import { createDecompressor, loadChecksum } from '#core/blocks/era/snappy.ts';
import { EraFileError } from '#core/blocks/files/source.ts';
import { snappyFrames } from '#test/support/generators/files/era-files.ts';
import { loadE2store } from '#test/support/generators/files/other-era-file.ts';

beforeAll(loadChecksum);

const decompress = createDecompressor();

/** Bytes that repeat often, as blocks do. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 70 }), fc.integer({ min: 1, max: 60 })), { maxLength: 40 })
  .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))));

test('decompresses frames of the native library, and writes frames that it decompresses', async () => {
  const { compressData, decompressData } = await loadE2store();
  const large = fc.tuple(bytes, fc.integer({ min: 60_000, max: 140_000 })).map(([part, length]) =>
    // Chunks begin at 65,536 bytes.
    Buffer.alloc(length, part.length > 0 ? part : 0),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(bytes, fc.uint8Array({ minLength: 1, maxLength: 500 }), large),
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
  ['a chunk without data, such as padding', chunk(0xfe, Buffer.from('a')), 'type 254, which holds no data'],
  ['a chunk that states more than 64 KiB', chunk(0, Buffer.from('818004', 'hex')), 'is invalid'],
  ['a raw chunk of more than 64 KiB', chunk(1, Buffer.alloc(65_537)), 'larger than 64 KiB'],
  ['a copy from before the output', chunk(0, Buffer.from('050061' + '0901', 'hex')), 'is invalid'],
  ['a copy from no distance', chunk(0, Buffer.from('050061' + '0100', 'hex')), 'is invalid'],
  ['output that is shorter than stated', chunk(0, Buffer.from('020061', 'hex')), 'is invalid'],
  ['output that is longer than stated', chunk(0, Buffer.from('01046162', 'hex')), 'is invalid'],
  ['a wrong checksum', chunk(1, Buffer.from('a')), 'the file is damaged'],
])('refuses %s', (_, frames, problem) => {
  expect(() => decompress(frames)).toThrow(problem);
});
