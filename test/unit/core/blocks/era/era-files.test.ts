import { createEraFiles } from '#core/blocks/era/era-files.ts';
import { eraFilesAmong } from '#core/blocks/files/source.ts';
import { inMemory } from '#test/support/generators/files/era-files.ts';
import { eraScene, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';

const scene = eraScene();

function open() {
  const opened: string[] = [];
  const files = createEraFiles({
    host: 'mirror.example',
    list: async () => eraFilesAmong(FILE_NAMES),
    open: async ({ name }) => {
      opened.push(name);
      return inMemory(scene.files.get(name) ?? Buffer.alloc(0));
    },
  });
  return { files, opened };
}

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
