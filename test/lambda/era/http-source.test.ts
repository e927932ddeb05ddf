import { createServer } from 'node:http';
import { parseFileName } from '../../../lambda/era/file-name.ts';
import { openEraSource } from '../../../lambda/era/open-source.ts';
import { UnreadableError } from '../../../lambda/era/random-access.ts';
import { startEraMirror } from '../../support/era-mirror.ts';
import { serve } from '../../support/serve.ts';

const NAME = 'mainnet-00001-01234567.era1';
const BYTES = Buffer.from('0123456789');
const fileName = () => {
  const name = parseFileName(NAME);
  if (!name) throw new Error('the name is not valid');
  return name;
};

test('lists the era files of Ethereum that the index page of a mirror names, once and in order', async () => {
  const names = [
    'mainnet-00002-89abcdef.ere',
    NAME,
    'mainnet-00003-89abcdef-noreceipts.ere',
    'mainnet-00004-89abcdef-noproofs.ere',
    'sepolia-00000-89abcdef.era1',
    `${NAME}.torrent`,
  ];
  await using mirror = await startEraMirror(new Map(names.map((name) => [name, BYTES])));
  const source = await openEraSource(`${mirror.url}/`);
  expect((await source.list()).map(({ name }) => name)).toEqual([
    NAME,
    'mainnet-00002-89abcdef.ere',
    'mainnet-00004-89abcdef-noproofs.ere',
  ]);
});

test('reads parts of a file', async () => {
  await using mirror = await startEraMirror(new Map([[NAME, BYTES]]));
  const file = await (await openEraSource(`${mirror.url}/`)).open(fileName());
  expect(file.size).toBe(10);
  expect((await file.read(3, 6)).toString()).toBe('345');
});

test('refuses a mirror that does not have a file, or serves files only as a whole', async () => {
  await using mirror = await startEraMirror(new Map());
  const open = async (url: string) => (await openEraSource(url)).open(fileName());
  await expect(open(`${mirror.url}/`)).rejects.toThrow('answered 404');
  await using other = await serve(createServer((_, response) => response.end(BYTES)));
  await expect(open(`${other.url}/`)).rejects.toThrow(UnreadableError);
});

test('tries again after an error of the server', async () => {
  let requests = 0;
  await using mirror = await serve(
    createServer((_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end();
      else response.writeHead(206, { 'content-range': 'bytes 0-7/10' }).end(BYTES.subarray(0, 8));
    }),
  );
  const file = await (await openEraSource(`${mirror.url}/`)).open(fileName());
  expect([file.size, requests]).toEqual([10, 2]);
});

test('reads an index page of a million letters without a name at once', async () => {
  const page = `${'a'.repeat(1_000_000)} ${NAME}`;
  await using mirror = await serve(createServer((_, response) => response.end(page)));
  const source = await openEraSource(`${mirror.url}/`);
  expect((await source.list()).map(({ name }) => name)).toEqual([NAME]);
});
