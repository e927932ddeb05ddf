import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ChainInsightsError } from '#clients/typescript/src/error.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { useServer } from '#test/support/servers/serve.ts';
import {
  curlCommand,
  errorText,
  fetchDays,
  fetchStatuses,
  fetchToday,
  isKeyRefused,
} from '#web/data/api-client.ts';

/* Against a real server that responds as the service or a proxy may. */

let respond: (request: IncomingMessage, response: ServerResponse) => void;
const url = useServer(createServer((request, response) => respond(request, response)));
const api = () => ({ root: `${url()}/v1/`, key: 'my-key' });

const query = { start_date: '2026-11-18', end_date: '2026-11-20', interval: 'day' } as const;
const never = new AbortController().signal;
const fetchBase = async (signal = never) => (await fetchDays(api(), ['BASE'], query, signal)).get('BASE');
const respondWith = (status: number, body: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);

test('requests a path below the stage, with the key in a header, and keeps every digit', async () => {
  const requests: unknown[] = [];
  const row = dayRow('2026-11-18', {
    fees: '358.558440870590355682',
    first_block: { number: 1, hash: '0x01' },
  });
  respond = ({ url, headers }, response) => {
    requests.push([url, headers['x-api-key']]);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify([row]));
  };
  expect(await fetchBase()).toEqual({ rows: [row] });
  await fetchDays(api(), ['BASE'], { ...query, interval: 'month' }, never);
  const path = '/v1/api/chain-insights/days?chain=BASE&start_date=2026-11-18&end_date=2026-11-20';
  expect(requests).toEqual([
    [path, 'my-key'],
    [`${path}&interval=month`, 'my-key'],
  ]);
});

test('requests several chains at once, and gives each its own rows', async () => {
  const rows = ['BSC', 'BASE', 'BSC'].map((chain) => ({ ...dayRow('2026-11-18'), chain }));
  let path: string | undefined;
  respond = (request, response) => {
    path = request.url;
    respondWith(200, JSON.stringify(rows))(request, response);
  };
  const days = await fetchDays(api(), ['BASE', 'BSC', 'POLYGON'], query, never);
  expect(path).toContain('/days?chain=BASE,BSC,POLYGON&');
  expect(Array.from(days, ([chain, of]) => [chain, of.rows.length])).toEqual([
    ['BASE', 1],
    ['BSC', 2],
    ['POLYGON', 0],
  ]);
});

test('reads the running day of one chain, which has an object, and of several, which have a list', async () => {
  const base = {
    chain: 'BASE',
    date: '2026-11-22',
    through: { time: '2026-11-22T07:37:59.000Z' },
    fees: '0.1',
    hours: [{ date: '2026-11-22T00', fees: '0.05' }],
  };
  const through = { number: 1, hash: '0x01', ...base.through };
  const waiting = { chain: 'BSC', date: '2026-11-22' };
  respond = respondWith(200, JSON.stringify({ ...base, through, seconds_behind: 12 }));
  expect(await fetchToday(api(), ['BASE'], never)).toEqual([base]);
  respond = respondWith(200, JSON.stringify([{ ...base, through }, waiting]));
  expect(await fetchToday(api(), ['BASE', 'BSC'], never)).toEqual([base, waiting]);
  respond = respondWith(200, JSON.stringify({ ...base, fees: 0.1 }));
  await expect(fetchToday(api(), ['BASE'], never)).rejects.toThrow(/unexpected response/i);
});

test('reads hours, and figures that other rows lack', async () => {
  const bounds = { from: '0.000213', to: '0.000221' };
  const hour = dayRow('2026-11-18T13', { gas_used: '9007199254740993', blob_count: 2, base_fees: '0.1' });
  const day = dayRow('2026-11-18', { median_fee: bounds, p10_fee: bounds, p90_fee: bounds });
  respond = respondWith(200, JSON.stringify([hour, day]));
  expect(await fetchBase()).toEqual({ rows: [hour, day] });
});

test('strips characters that reorder text from what people and files wrote', async () => {
  const name = 'a\u202efile\u2066';
  const archive = { name, file_sha256: '', audit: { statement: name }, void_since: name };
  const finality = { kind: 'reported', hosts: [name] };
  const restatement = { revision: 1, reason: name, restated_at: '', transaction_count: 1, fees: '1' };
  const row = {
    ...dayRow('2026-11-18'),
    finality,
    archive,
    restatements: [restatement],
    unpriced_reason: name,
  };
  respond = respondWith(200, JSON.stringify([row]));
  const text = JSON.stringify((await fetchBase())?.rows);
  expect(text).not.toMatch(/[\u202e\u2066]/);
  expect(text?.match(/a file /g)).toHaveLength(6);
});

test('keeps the chains that this page knows, in its order', async () => {
  const status = { first_final_day: '2026-11-01', last_final_day: '2026-11-20' };
  const unknown = { first_final_day: null, last_final_day: null };
  const body = [
    { chain: 'SOLANA', ...status },
    { chain: 'BASE', ...status },
    { chain: 'ETHEREUM', ...unknown },
  ];
  respond = respondWith(200, JSON.stringify(body));
  expect(await fetchStatuses(api(), never)).toEqual([
    { chain: 'ETHEREUM', ...unknown },
    { chain: 'BASE', ...status },
  ]);
});

test('explains a refused key in words for people, not in HTTP headers', async () => {
  respond = respondWith(403, JSON.stringify({ detail: 'The X-API-Key header is missing.' }));
  const error = await fetchBase().catch((reason: ChainInsightsError) => reason);
  if (!(error instanceof ChainInsightsError)) throw new Error('The key was accepted.');
  expect(isKeyRefused(error)).toBe(true);
  expect(errorText(error)).toMatch(/^The service did not accept this key\./);
  expect(errorText(error)).not.toMatch(/header/i);
});

test.each(['{"rows":[]}', '[{"date":"2026-11-18","fees":0.1}]', 'no JSON'])(
  'refuses the response %s',
  async (body) => {
    respond = respondWith(200, body);
    await expect(fetchBase()).rejects.toThrow(/unexpected response/i);
    await expect(fetchBase()).rejects.toThrow(ChainInsightsError);
  },
);

test('reports a broken connection at once, but not an aborted request', async () => {
  respond = ({ socket }) => socket.destroy();
  const error = await fetchBase().catch((reason: ChainInsightsError) => reason);
  expect(error instanceof ChainInsightsError && errorText(error)).toMatch(/^Could not reach the service/);
  const aborted = new AbortController();
  respond = () => aborted.abort();
  await expect(fetchBase(aborted.signal)).rejects.not.toThrow(ChainInsightsError);
});

test('the curl command requests the same, below the stage, with the key in a variable', () => {
  expect(curlCommand('https://api.example.com/v1/', ['BASE', 'BSC'], query)).toBe(
    `curl -s 'https://api.example.com/v1/api/chain-insights/days?chain=BASE,BSC&start_date=2026-11-18&end_date=2026-11-20' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
  );
});
