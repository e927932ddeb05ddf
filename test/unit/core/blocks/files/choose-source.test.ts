import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEraSource, ERA_URL } from '#core/blocks/files/choose-source.ts';
import { UnreadableError } from '#core/blocks/files/source.ts';
import { createFolder } from '#test/support/folders.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';

const NAME = 'mainnet-00001-01234567.era1';

test.each([
  ['https://mirror.example', 'mirror.example'],
  ['http://localhost:8080/era1/', 'localhost:8080'],
  ['s3://era-files/ere/', 'era-files'],
  ['/data/era1', 'localhost'],
  ['ftp://mirror.example/', 'localhost'],
])('takes %s for a place of %s', async (location, host) => {
  expect((await createEraSource(location, 'eu-central-1')).host).toBe(host);
  expect(ERA_URL.test(location)).toBe(host !== 'localhost');
});

describe('a folder', () => {
  test('lists its era files, and gives any part of one', async () => {
    const folder = createFolder();
    for (const name of [NAME, 'readme.txt']) writeFileSync(join(folder, name), '0123456789');
    const source = await createEraSource(folder);
    expect((await source.list()).map(({ name }) => name)).toEqual([NAME]);
    const file = await source.open(eraName(NAME));
    expect(file.size).toBe(10);
    expect(String(await file.read(0, 10))).toBe('0123456789');
    expect(String(await file.read(3, 5))).toBe('34');
  });

  test('refuses a part of a file that became shorter', async () => {
    const folder = createFolder();
    const path = join(folder, NAME);
    writeFileSync(path, '0123456789');
    const file = await (await createEraSource(folder)).open(eraName(NAME));
    truncateSync(path, 9);
    await expect(file.read(3, 10)).rejects.toThrow(`${path} became shorter while it was read`);
    expect(String(await file.read(3, 9))).toBe('345678');
  });

  test('that is missing, or lacks a file, cannot be read', async () => {
    const folder = createFolder();
    const source = await createEraSource(folder);
    await expect(source.open(eraName(NAME))).rejects.toThrow(UnreadableError);
    const missing = await createEraSource(join(folder, 'missing'));
    await expect(missing.list()).rejects.toThrow(UnreadableError);
  });
});
