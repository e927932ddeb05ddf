import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { chainInsights } from '#clients/typescript/src/index.ts';
import { coinsOf, weiOf } from '#clients/typescript/src/wei.ts';
import { copyExamples } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';

/* The examples of docs/clients.md run the packed file against the service: test/whole/docs/clients.slow.test.ts. */

const ROWS = '[{"date":"2025-11-01","fees":"0.1"}]';
const respond = (response: ServerResponse, status: number, headers: Record<string, string>, body: string) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);

/** Responses to the next requests, in order. */
let next: ((response: ServerResponse) => void)[] = [];
const requests: string[] = [];
const server = createServer(({ url = '' }, response) => {
  requests.push(url);
  const one = next.shift() ?? ((each) => respond(each, 200, { 'X-Days-Missing': '2' }, ROWS));
  one(response);
});
const url = useServer(server);
const client = (options = {}) => chainInsights({ url: url(), key: 'any', ...options });
beforeEach(() => {
  next = [];
  requests.length = 0;
});

const query = { chain: 'base', startDate: '30-days-ago', endDate: 'yesterday' } as const;

test.each<[string, (response: ServerResponse) => void]>([
  ['a dropped connection', (response) => response.destroy()],
  ['a gateway that timed out', (response) => respond(response, 504, {}, '{}')],
  ['a throttled request', (response) => respond(response, 429, { 'Retry-After': '0' }, '{}')],
])('repeats after %s', async (_, fail) => {
  next = [fail, fail];
  const { rows, daysMissing } = await client().fees({ ...query, interval: 'week' });
  expect([rows, daysMissing]).toEqual([[{ date: '2025-11-01', fees: '0.1' }], 2]);
  expect(requests).toEqual(
    Array(3).fill(
      '/api/chain-insights/fees?chain=base&start_date=30-days-ago&end_date=yesterday&interval=week',
    ),
  );
});

test('reads no environment when the URL and the key are passed, as Deno without --allow-env needs', async () => {
  const variables = Object.getOwnPropertyDescriptor(process, 'env');
  const refuse = () => {
    throw new Error('NotCapable: Requires env access');
  };
  Object.defineProperty(process, 'env', { get: refuse, configurable: true });
  try {
    expect(() => client()).not.toThrow();
    expect(() => chainInsights({ url: url() })).toThrow('Requires env access');
  } finally {
    Object.defineProperty(process, 'env', variables ?? {});
  }
});

test('asks for the fields of days that a program names', async () => {
  const { rows } = await client().days({ ...query, fields: ['fees', 'evidence'] });
  expect(rows.map(({ date, fees }) => [date, fees])).toEqual([['2025-11-01', '0.1']]);
  expect(requests).toEqual([
    '/api/chain-insights/days?chain=base&start_date=30-days-ago&end_date=yesterday&fields=fees%2Cevidence',
  ]);
});

test('asks for dollars of fees, of several chains in one request', async () => {
  const row = { chain: 'BASE', date: '2025-11-01', fees: '0.1', fees_usd: '300' };
  next = [(each) => respond(each, 200, { 'X-Days-Missing': '0' }, JSON.stringify([row]))];
  const chain = ['base', 'ETHEREUM'] as const;
  const { rows, currency, dataThrough } = await client().fees({ ...query, chain, fields: ['fees_usd'] });
  expect(rows.map((each) => [each.chain, each.date, each.feesUsd])).toEqual([['BASE', '2025-11-01', '300']]);
  expect([currency, dataThrough]).toEqual([undefined, undefined]);
  expect(requests).toEqual([
    '/api/chain-insights/fees?chain=base%2CETHEREUM&start_date=30-days-ago&end_date=yesterday&fields=fees_usd',
  ]);
});

test('names the chain in the rows of a list of one, which the API does not name', async () => {
  const { rows } = await client().fees({ ...query, chain: ['base'] });
  expect(rows).toEqual([{ chain: 'BASE', date: '2025-11-01', fees: '0.1' }]);
  expect((await client().fees(query)).rows).toEqual([{ date: '2025-11-01', fees: '0.1' }]);
});

test('returns the running day of a chain, and a list for a list of chains, even of one', async () => {
  const base = { chain: 'BASE', date: '2025-11-02', last_24_hours: { first_hour: '2025-11-01T02' } };
  const other = { chain: 'BSC', date: '2025-11-02' };
  next = [base, base, [base, other]].map(
    (body) => (each: ServerResponse) => respond(each, 200, {}, JSON.stringify(body)),
  );
  const { last24Hours } = await client().today('base');
  expect(last24Hours).toEqual({ firstHour: '2025-11-01T02' });
  const lists = [await client().today(['BASE']), await client().today(['BASE', 'BSC'])];
  expect(lists.map((days) => days.map(({ chain }) => chain))).toEqual([['BASE'], ['BASE', 'BSC']]);
  expect(requests).toEqual(
    ['base', 'BASE', 'BASE%2CBSC'].map((chain) => `/api/chain-insights/today?chain=${chain}`),
  );
});

test('a request ends at its timeout, and at its signal without a repetition', async () => {
  next = Array(9).fill(() => undefined);
  await expect(client({ retries: 0, timeoutMs: 20 }).fees(query)).rejects.toThrow('Cannot reach the service');
  const given = AbortSignal.timeout(20);
  await expect(client().fees(query, { signal: given })).rejects.toMatchObject({ name: 'TimeoutError' });
  // Several, because the server may still receive a request that has ended.
  next = Array(9).fill((response: ServerResponse) => respond(response, 503, { 'Retry-After': '60' }, '{}'));
  const later = AbortSignal.timeout(50);
  await expect(client().fees(query, { signal: later })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests.length).toBeLessThanOrEqual(3);
});

test('fails with the problem of the API, without a repetition', async () => {
  const problem = {
    title: 'Bad Request',
    status: 400,
    detail: 'Invalid field: chain is required.',
    request_id: 'id',
    errors: [{ field: 'chain', message: 'is required' }],
  };
  next = [
    (response) =>
      respond(response, 400, { 'Content-Type': 'application/problem+json' }, JSON.stringify(problem)),
  ];
  await expect(client().chains({ evidence: 'proven' })).rejects.toMatchObject({
    name: 'ChainInsightsError',
    message: 'Bad Request: Invalid field: chain is required.',
    status: 400,
    problem,
  });
  expect(requests).toEqual(['/api/chain-insights/chains?evidence=proven']);
});

test('converts coins to wei and back without losing a digit', () => {
  expect(weiOf('12.000000000000000001')).toBe(12_000_000_000_000_000_001n);
  expect(weiOf('0')).toBe(0n);
  expect(coinsOf(weiOf('0.5'))).toBe('0.500000000000000000');
});

test('the packed file has the types that the example programs need', () => {
  const folder = copyExamples();
  const lib = ['ES2024', 'DOM'];
  const compilerOptions = { strict: true, module: 'NodeNext', noEmit: true, types: [], lib };
  writeFileSync(
    join(folder, 'process.d.ts'),
    'declare const process: { env: Record<string, string>; argv: string[]; exitCode: number };',
  );
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { stdio: 'inherit' });
});

test('has the version of the service', () => {
  const versionOf = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')).version;
  expect(versionOf('clients/typescript/package.json')).toBe(versionOf('package.json'));
});
