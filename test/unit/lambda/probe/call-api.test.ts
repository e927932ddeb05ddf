import { createServer, type Server } from 'node:http';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { type Probe, probeApi } from '#lambda/probe/call-api.ts';
import { serve } from '#test/support/servers/serve.ts';

const KEY = 'a-key-that-nobody-may-see';
const now = Date.parse('2026-11-21T06:00:00Z');
const yesterday = addDays(dayOf(now / 1_000), -1);

const rowOf = (date: string) => ({
  date,
  transaction_count: 3,
  user_transaction_count: 2,
  protocol_transaction_count: 1,
  fees: '1.6',
  last_block: { number: 7, hash: `0x${'ab'.repeat(32)}` },
  evidence: 'proven',
  // A field that a later version adds.
  added: true,
});

const answering = (status: number, body: unknown, seen: string[] = []): Server =>
  createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });

async function probe(server: Server, given: Partial<Probe> = {}): Promise<string | undefined> {
  await using api = await serve(server);
  return await probeApi({ url: `${api.url}/v1/`, key: KEY, chain: 'BASE', maxAgeHours: 30, now, ...given });
}

test('asks for the newest days with its key, and accepts rows as documented', async () => {
  const seen: string[] = [];
  expect(await probe(answering(200, [rowOf(yesterday)], seen))).toBeUndefined();
  expect(seen).toEqual([
    `GET /v1/api/chain-insights/days?chain=BASE&start_date=2026-11-17&end_date=2026-11-20 ${KEY}`,
  ]);
});

test('accepts a newest day that ended as long ago as data may be old, and no older one', async () => {
  const rows = [rowOf('2026-11-19')];
  expect(await probe(answering(200, rows))).toBeUndefined();
  const late = startOfDay('2026-11-21') * 1_000 + 7 * 3_600_000;
  expect(await probe(answering(200, rows), { now: late })).toBe(
    'the newest row is 2026-11-19, which ended 31 hours ago; at most 30 are expected',
  );
});

test.each([
  ['a refused key', answering(403, { title: 'Forbidden' }), /^the status is 403: \{"title":"Forbidden"\}/],
  ['an error', answering(500, ''), /^the status is 500/],
  ['no row', answering(200, []), /^none of the last 4 days has a row$/],
  ['a page instead of JSON', answering(200, '<html>'), /^the body is not JSON: <html>/],
  [
    'fees as a number',
    answering(200, [{ ...rowOf(yesterday), fees: 1.6 }]),
    /^the body is not as documented: 0\.fees/,
  ],
  [
    'fees in exponential form',
    answering(200, [{ ...rowOf(yesterday), fees: '1e-3' }]),
    /not as documented: 0\.fees/,
  ],
  [
    'a negative count',
    answering(200, [{ ...rowOf(yesterday), transaction_count: -1 }]),
    /0\.transaction_count/,
  ],
  [
    'a redirect',
    createServer((_, response) => response.writeHead(302, { location: '/' }).end()),
    /did not answer/,
  ],
  ['a closed connection', createServer((request) => request.socket.destroy()), /^the API did not answer: /],
])('reports %s, without the key', async (_, server, reason) => {
  const problem = await probe(server);
  expect(problem).toMatch(reason);
  expect(problem).not.toContain(KEY);
});
