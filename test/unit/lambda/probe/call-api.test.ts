import { createServer, type Server } from 'node:http';
import { probeApi } from '#lambda/probe/call-api.ts';
import type { ExportedDays } from '#lambda/probe/exported-days.ts';
import { serve } from '#test/support/servers/serve.ts';

const KEY = 'a-key-that-nobody-may-see';
const NEWEST = '2026-11-20';

/** A row with the fields of all probed endpoints, and one that a later version adds. */
const rowOf = (date: string) => ({
  date,
  transaction_count: 3,
  user_transaction_count: 2,
  protocol_transaction_count: 1,
  fees: '1.6',
  last_block: { number: 7, hash: `0x${'ab'.repeat(32)}` },
  evidence: 'proven',
  added: true,
});
const base = {
  chain: 'BASE',
  last_final_day: NEWEST,
  days_by_evidence: { proven: 5, checked: 2, archived: 3 },
  conflicts: [],
};

interface Answers {
  readonly status?: number;
  /** Rows of /chains. */
  readonly chains?: unknown;
  /** By the last part of the path; good rows without one. */
  readonly rows?: Readonly<Record<string, unknown>>;
}

/** Starts an API that answers like this, and collects the requests. */
const answering = ({ status = 200, chains = [base], rows = {} }: Answers, seen: string[] = []): Server =>
  createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    const endpoint = new URL(request.url ?? '', 'http://localhost').pathname.split('/').at(-1) ?? '';
    const body = endpoint === 'chains' ? chains : (rows[endpoint] ?? [rowOf('2026-11-19'), rowOf(NEWEST)]);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });

async function probe(server: Server, exported?: ExportedDays): Promise<string[]> {
  await using api = await serve(server);
  return await probeApi({ url: `${api.url}/v1/`, key: KEY, chains: ['BASE'], exported });
}

test('asks for the chains, and for the newest final days of each from the two main endpoints and /days', async () => {
  const seen: string[] = [];
  expect(await probe(answering({}, seen))).toEqual([]);
  const days = ['transaction_count', 'fees', 'days'].map(
    (path) =>
      `GET /v1/api/chain-insights/${path}?chain=BASE&start_date=2026-11-17&end_date=2026-11-20 ${KEY}`,
  );
  expect(seen[0]).toBe(`GET /v1/api/chain-insights/chains? ${KEY}`);
  expect(seen.slice(1).toSorted()).toEqual(days.toSorted());
});

test.each<[string, Answers, RegExp]>([
  ['a refused key', { status: 403, chains: { title: 'Forbidden' } }, /^chains: the status is 403: \{"title"/],
  ['an error', { status: 500, chains: '' }, /^chains: the status is 500/],
  ['a chain that is not listed', { chains: [] }, /^chains: BASE is not listed$/],
  ['a page instead of JSON', { chains: '<html>' }, /the body is not JSON: <html>/],
  ['no row', { rows: { fees: [] } }, /^BASE, fees: no row of 2026-11-20, which is final$/],
  ['a missing newest day', { rows: { days: [rowOf('2026-11-19')] } }, /^BASE, days: no row of 2026-11-20/],
  ['fees as a number', { rows: { fees: [{ ...rowOf(NEWEST), fees: 1.6 }] } }, /^BASE, fees: .* 0\.fees/],
  ['fees in exponential form', { rows: { days: [{ ...rowOf(NEWEST), fees: '1e-3' }] } }, /days: .* 0\.fees/],
  [
    'a negative count',
    { rows: { transaction_count: [{ ...rowOf(NEWEST), transaction_count: -1 }] } },
    /^BASE, transaction_count: .* 0\.transaction_count/,
  ],
])('reports %s, without the key', async (_, answers, reason) => {
  const problems = await probe(answering(answers));
  expect(problems).toEqual([expect.stringMatching(reason)]);
  expect(problems.join()).not.toContain(KEY);
});

test.each([
  ['a redirect', createServer((_, response) => response.writeHead(302, { location: '/' }).end())],
  ['a closed connection', createServer((request) => request.socket.destroy())],
])('reports %s as no answer', async (_, server) => {
  expect(await probe(server)).toEqual([expect.stringMatching(/^chains: the API did not answer: /)]);
});

describe('compared with an export of ten days,', () => {
  const exported = (days: Record<string, number>): ExportedDays => ({
    exportedOn: NEWEST,
    days: new Map(Object.entries(days)),
  });
  const of = (last: string | null, byEvidence: unknown) =>
    answering({ chains: [{ ...base, last_final_day: last, days_by_evidence: byEvidence }] });
  const lost = (days: number) => [
    `BASE: the table has ${days} final days, and the export of ${NEWEST} has 10`,
  ];

  test.each([
    ['an emptied table', null, { proven: 0, checked: 0 }, 0],
    ['a replaced table, whose newest day is as new', NEWEST, { proven: 1, checked: 0 }, 1],
    ['a table that lost one day', NEWEST, { proven: 9, checked: 0 }, 9],
    ['a coverage that cannot be read', null, null, 0],
  ])('reports %s', async (_, last, byEvidence, days) => {
    expect(await probe(of(last, byEvidence), exported({ BASE: 10 }))).toEqual(lost(days));
  });

  test.each<[string, string | null, unknown, ExportedDays | undefined]>([
    ['as many days', NEWEST, base.days_by_evidence, exported({ BASE: 10 })],
    ['more days', NEWEST, { proven: 11, checked: 0 }, exported({ BASE: 10 })],
    ['no day of an added chain', null, { proven: 0, checked: 0 }, exported({ BSC: 10 })],
    ['no day of a chain that had none', null, { proven: 0, checked: 0 }, exported({ BASE: 0 })],
    ['no day and no export, as in a first deployment', null, { proven: 0, checked: 0 }, undefined],
  ])('accepts %s', async (_, last, byEvidence, given) => {
    expect(await probe(of(last, byEvidence), given)).toEqual([]);
  });
});
