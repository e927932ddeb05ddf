import { createServer } from 'node:http';
import { ChainInsightsError } from '#clients/typescript/src/error.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { createDayCache } from '#web/data/day-cache.ts';

const requests: string[] = [];
let isBroken = false;
const server = createServer(({ url = '' }, response) => {
  requests.push(url);
  response
    .writeHead(isBroken ? 500 : 200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify([dayRow('2026-11-18')]));
});
const url = useServer(server);
const api = () => ({ root: `${url()}/`, key: 'k' });
beforeEach(() => {
  requests.length = 0;
  isBroken = false;
});

const wide = { chain: 'BASE', start_date: '2026-11-01', end_date: '2026-11-20', interval: 'day' } as const;
const narrow = { ...wide, start_date: '2026-11-10' };
const never = new AbortController().signal;

test('answers a narrower query from a wider answer, without a request', async () => {
  const cache = createDayCache();
  let answers = 0;
  const count = () => {
    answers++;
  };
  expect(cache.find(narrow)).toBeUndefined();
  await cache.load(api(), [wide, narrow], never, count);
  await cache.load(api(), [narrow], never, count);
  expect([requests.length, answers]).toEqual([1, 1]);
  expect(cache.find(narrow)).toEqual({ rows: [dayRow('2026-11-18')] });
  expect(cache.find({ ...narrow, interval: 'week' })).toBeUndefined();
});

test('loads chains of one range in one request, and later only those that it lacks', async () => {
  const cache = createDayCache();
  const of = (...chains: ('BASE' | 'BSC' | 'POLYGON')[]) => chains.map((chain) => ({ ...wide, chain }));
  await cache.load(api(), [...of('BASE', 'BSC'), { ...wide, interval: 'week' }], never, () => {});
  await cache.load(api(), of('BASE', 'BSC', 'POLYGON'), never, () => {});
  const chains = requests.map((path) => new URLSearchParams(path.split('?')[1]).get('chain'));
  expect(chains).toEqual(['BASE,BSC', 'BASE', 'POLYGON']);
  expect(cache.find({ ...wide, chain: 'BSC' })).toEqual({ rows: [] });
});

test('keeps an error until it is told to forget it', async () => {
  const cache = createDayCache();
  isBroken = true;
  await cache.load(api(), [wide, narrow], never, () => {});
  expect(cache.find(narrow)).toBeInstanceOf(ChainInsightsError);
  isBroken = false;
  await cache.load(api(), [wide], never, () => {});
  expect(cache.find(wide)).toBeInstanceOf(ChainInsightsError);
  cache.forgetErrors();
  await cache.load(api(), [wide], never, () => {});
  expect(cache.find(wide)).toMatchObject({ rows: [{ date: '2026-11-18' }] });
});

test('keeps nothing of an aborted request', async () => {
  const cache = createDayCache();
  const aborted = new AbortController();
  const loading = cache.load(api(), [wide], aborted.signal, () => {
    throw new Error('An aborted request has no answer.');
  });
  aborted.abort();
  await loading;
  expect(cache.find(wide)).toBeUndefined();
});
