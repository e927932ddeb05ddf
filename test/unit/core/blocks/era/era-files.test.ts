import { createEraFiles } from '#core/blocks/era/era-files.ts';
import { eraFilesAmong } from '#core/blocks/files/source.ts';
import { entry, inMemory } from '#test/support/generators/files/era-files.ts';
import { eraScene, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';

/* Proves which files are opened for a block, by their names and then by their indexes. read-blocks.slow.test.ts reads the blocks. */

const scene = eraScene();

function open(given: ReadonlyMap<string, Buffer> = scene.files) {
  const opened: string[] = [];
  const files = createEraFiles({
    host: 'mirror.example',
    list: async () => eraFilesAmong([...given.keys()]),
    open: async ({ name }) => {
      opened.push(name);
      return inMemory(given.get(name) ?? Buffer.alloc(0));
    },
  });
  return { files, opened };
}

const words = (values: readonly number[]) => Buffer.from(BigInt64Array.from(values, BigInt).buffer);

/** Writes a version and an index, with a byte for each part of a block. */
function indexAlone(first: number, count: number): Buffer {
  const content = Buffer.concat([entry(0x6532, Buffer.alloc(0)), Buffer.alloc(3 * count)]);
  const offsets = Array.from({ length: count }, (_, block) => [0, 1, 2].map((part) => part * count + block));
  const index = offsets.flat().map((offset) => offset - 3 * count);
  return Buffer.concat([content, entry(0x6732, words([first, ...index, 3, count]))]);
}

/** Files of the eras 0, 1 (twice) and 3, which have 8,192 blocks each. */
const ERAS = new Map(
  ['00000-aaaaaaaa', '00001-aaaaaaaa', '00001-bbbbbbbb', '00003-aaaaaaaa'].map((name) => [
    `mainnet-${name}.ere`,
    indexAlone(Number(name.slice(0, 5)) * 8_192, 8_192),
  ]),
);

test.each([
  [0, ['00000-a'], ['00000-a']],
  [8_191, ['00000-a'], ['00000-a']],
  [8_192, ['00001-a', '00001-b'], ['00001-a', '00001-b']],
  [16_383, ['00001-a', '00001-b'], ['00001-a', '00001-b']],
  // No name says that a file has it, so the indexes of the files around it do.
  [16_384, [], ['00001-b', '00003-a']],
  [32_767, ['00003-a'], ['00003-a']],
  [32_768, [], ['00003-a']],
])('finds block %i in the files %j of four, and opens %j', async (number, expected, asked) => {
  const { files, opened } = open(ERAS);
  const short = (name: string) => name.slice(8, 15);
  expect((await files.withBlock(number)).files.map(({ name }) => short(name))).toEqual(expected);
  expect(opened.map(short)).toEqual(asked);
});

test('keeps the indexes of the 32 files that were used last', async () => {
  const given = Array.from({ length: 33 }, (_, era): [string, Buffer] => [
    `mainnet-${String(era).padStart(5, '0')}-aaaaaaaa.ere`,
    indexAlone(era * 8_192, 1),
  ]);
  const { files, opened } = open(new Map(given));
  const openedFor = async (eras: readonly number[]) => {
    const before = opened.length;
    for (const era of eras) await files.withBlock(era * 8_192);
    return opened.length - before;
  };
  const all = [...given.keys()];
  expect(await openedFor(all.slice(0, 32))).toBe(32);
  expect(await openedFor(all.slice(0, 32))).toBe(0);
  expect(await openedFor([32, 1])).toBe(1);
  expect(await openedFor([0])).toBe(1);
});

test('finds the file with a block, and none for a block after the last', async () => {
  const { files } = open();
  const firstWith = async (number: number) => (await files.withBlock(number)).files[0]?.name;
  expect(await Promise.all([0, 4, 5, 11, 14, 15].map(firstWith))).toEqual([
    ...[FILE_NAMES[0], FILE_NAMES[0], FILE_NAMES[1], FILE_NAMES[2], FILE_NAMES[3]],
    undefined,
  ]);
});

test('opens a file once for all of its headers', async () => {
  const { files, opened } = open();
  const [file] = (await files.withBlock(1)).files;
  for (const number of [0, 1, 2]) await file?.header(number);
  await files.withBlock(1);
  expect(opened.filter((name) => name === FILE_NAMES[0])).toHaveLength(1);
});
