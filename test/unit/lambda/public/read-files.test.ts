import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { dayRow, type PublicDay } from '#core/rows/day-row.ts';
import { comparedCells } from '#lambda/public/compare-days.ts';
import { decodeDays, readPublicDays, readPublicIndex } from '#lambda/public/read-files.ts';
import { filesOfChain, indexFile } from '#lambda/public/write-files.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useServer } from '#test/support/servers/serve.ts';

const rows = storedDays(5).map((day) => dayRow(day as PublicDay));
const { files, entry } = filesOfChain('BSC', rows, 1_000);
const index = indexFile({
  written_at: '2026-11-28T02:30:00.000Z',
  licence: 'CC0-1.0',
  chains: entry ? [entry] : [],
});
let served = new Map<string, Buffer>();
const server = createServer(({ url = '' }, response) => {
  const bytes = served.get(url);
  if (bytes) return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
  return response
    .writeHead(url.startsWith('/moved/') ? 302 : 404, { location: '/v1/public/index.json' })
    .end();
});
const url = useServer(server);
const serviceAt = (path: string) => ({ url: `${url()}${path}` });
beforeEach(() => {
  served = new Map([index, ...files].map(({ name, bytes }) => [`/v1/public/${name}`, bytes]));
});

async function readBsc() {
  const { chains } = await readPublicIndex(serviceAt('/v1/'));
  return chains[0] && readPublicDays(serviceAt('/v1/'), chains[0]);
}

test('reads the days of all parts, with the figures of /days', async () => {
  expect(files.length).toBeGreaterThan(2);
  expect(await readBsc()).toMatchObject(rows.map(comparedCells));
});

test('reads a file that is newer than the index', async () => {
  const newer = filesOfChain('BSC', [...rows, ...rows]).files[0]?.bytes;
  served.set('/v1/public/BSC.csv', newer ?? Buffer.of());
  expect((await readBsc())?.length).toBeGreaterThan(rows.length);
});

test.each([
  ['/none', 'status 404'],
  ['/moved', 'status 302'],
])('at %s, says why there is no index', async (path, reason) => {
  await expect(readPublicIndex(serviceAt(path))).rejects.toThrow(
    `${url()}${path}/public/index.json cannot be read: ${reason}.`,
  );
});

test.each(['{}', 'no JSON', '{"chains":[{"chain":"BSC","files":[{"name":"../../etc"}]}]}'])(
  'refuses the index %s',
  async (text) => {
    served.set('/v1/public/index.json', Buffer.from(text));
    await expect(readBsc()).rejects.toThrow(/has no index of public files that this version can read/);
  },
);

test('refuses a file that decompresses to more than 4 MB', async () => {
  served.set('/v1/public/index.json', Buffer.alloc(5_000_000));
  await expect(readBsc()).rejects.toThrow('the response is larger than 4 MB');
});

test.each([
  'date,fees\r\n2025-11-18',
  'date,fees\r\n2025-13-18,1',
  `date,fees\r\n2025-11-18,${'9'.repeat(30_000)}`,
])('refuses a line that is not a day', (text) => {
  expect(() => decodeDays(text, 'a.example')).toThrow('a.example: line 2 is not a day.');
});

test('reads quoted cells with commas and quotes', () => {
  expect(decodeDays('date,archive,fees\r\n2025-11-18,"a ""b"", c",1\r\n', '')).toEqual([
    { date: '2025-11-18', archive: '"a ""b"", c"', fees: '1' },
  ]);
});
