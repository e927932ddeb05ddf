import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { EndpointError, endpointOf } from '#core/rpc/endpoint.ts';
import { decodeQuantity } from '#core/rpc/http/decode.ts';
import { call } from '#core/rpc/json-rpc.ts';
import { meaningOf, REFUSALS, type RefusalKind, type RefusalRow } from '#core/rpc/refusals.ts';
import { type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { answersOf } from '#test/support/nodes/refused-answers.ts';

/** Returns the error of a call that a local server answers so. */
async function errorAfter(answer: NodeResponse): Promise<EndpointError> {
  await using node = await startJsonRpcServer(() => answer);
  const called = call(endpointOf(chainOf('ETHEREUM'), node.url), 'eth_test', [], decodeQuantity);
  const error = await called.catch((error: unknown) => error);
  if (error instanceof EndpointError) return error;
  throw new Error('the call was not refused');
}

const NOW = 'Fri, 20 Nov 2026 12:00:00 GMT';
const none = () => undefined;
const kindOf = (status: number, error: unknown): RefusalKind | undefined =>
  meaningOf({ status, header: none }, { id: 1, error })?.kind;
const pauseAfter = (status: number, retryAfter: string | undefined, message = '', data?: unknown) =>
  meaningOf(
    { status, header: (name) => ({ 'retry-after': retryAfter, date: NOW })[name] },
    { id: 1, error: { code: -1, message, data } },
  )?.pauseMs;

test.each(REFUSALS.map((row) => [nameOf(row), row] as const))(
  'each row of the table is understood as a local server answers it: %s',
  async (_, row) => {
    for (const answer of answersOf(row)) {
      const { kind, message } = await errorAfter(answer);
      expect([answer, kind]).toEqual([answer, row.means]);
      expect(message).toContain(`(${row.means}: `);
    }
  },
);

function nameOf({ means, status, codes, says }: RefusalRow): string {
  return [means, status, codes, says].flatMap((part) => (part === undefined ? [] : [`${part}`])).join(' / ');
}

/** The answers of providers and clients as they were seen or published: HTTP status, code, message, meaning. */
const SEEN: readonly (readonly [string, number, unknown, string, RefusalKind])[] = [
  ['any', 429, -1, 'slow down', 'rate limit'],
  ['any', 429, -32601, 'the method does not exist', 'rate limit'],
  ['any', 402, -1, 'Payment Required', 'quota'],
  ['any', 402, 4444, 'pruned history unavailable', 'quota'],
  ['drpc', 408, 30, 'Request timeout on the free tier, please upgrade your tier', 'rate limit'],
  ['drpc', 200, 30, 'Request timeout on the free tier, please upgrade your tier', 'rate limit'],
  ['drpc', 200, 15, 'Too many request, try again later', 'rate limit'],
  ['Alchemy', 200, 429, 'Your app has exceeded its compute units per second capacity', 'rate limit'],
  ['Alchemy', 200, 429, 'Monthly capacity limit exceeded', 'quota'],
  ['Alchemy', 429, 429, 'Monthly capacity limit exceeded', 'quota'],
  ['QuickNode', 200, -32007, '20/second request limit reached - reduce calls per second', 'rate limit'],
  ['QuickNode', 200, -32003, 'daily request limit reached', 'quota'],
  ['proxyd', 200, -32016, 'over rate limit', 'rate limit'],
  ['Blast', 200, -32012, 'Ran out of credits', 'rate limit'],
  ['QuickNode', 200, -32012, 'credits limited to 6000/sec', 'rate limit'],
  ['Infura', 200, -32005, 'project ID request rate exceeded', 'rate limit'],
  ['Infura', 200, '-32005', 'rate limited', 'rate limit'],
  // The code says it alone (EIP-1474).
  ['several', 200, -32005, 'limit exceeded', 'rate limit'],
  ['Infura', 402, -32005, 'daily request count exceeded, request rate limited', 'quota'],
  ['Infura', 200, -32005, 'daily request count exceeded, request rate limited', 'quota'],
  ['1RPC', 200, -32001, 'Exceeded the quota usage', 'rate limit'],
  ['several', 200, -32000, 'you have reached the free tier limit', 'rate limit'],
  ['several', 200, -32000, 'this node is under too much load', 'rate limit'],
  ['several', 200, -32000, 'No server available', 'rate limit'],
  ['Cloudflare', 200, -32000, 'error code: 1015', 'rate limit'],
  ['several', 200, -32011, 'rate limited', 'rate limit'],
  ['geth', 200, -32003, 'response too large', 'too large'],
  ['reth', 200, -32008, 'Response is too big', 'too large'],
  ['proxyd', 500, -32020, 'backend response too large', 'too large'],
  ['proxyd', 200, -32020, 'backend response too large', 'too large'],
  ['Alchemy', 200, -32602, 'Log response size should not greater than 150MB', 'too large'],
  ['proxyd', 503, -32010, 'backend offline', 'down'],
  ['proxyd', 503, -32011, 'no backends available for method', 'down'],
  ['publicnode', 403, -32602, 'Request blocked', 'down'],
  ['proxyd', 403, -32601, 'rpc method is not whitelisted', 'no method'],
  ['proxyd', 403, -32601, 'words of no row', 'no method'],
  ['any', 403, -1, 'unsupported method', 'no method'],
  ['geth', 200, -32601, 'the method eth_getBlockReceipts does not exist/is not available', 'no method'],
  ['geth', 200, 4444, 'pruned history unavailable', 'pruned'],
  ['ganache', 200, -32700, 'The method eth_x does not exist/is not available', 'no method'],
  [
    'EDR',
    200,
    -32602,
    "The 'safe' and 'finalized' block tags are not allowed in pre-merge hardforks",
    'no method',
  ],
  ['geth', 200, -32000, 'finalized block not found', 'not yet'],
  ['Nethermind', 200, -39001, 'Unknown block', 'not yet'],
  ['Nethermind', 200, -32001, 'Cannot find block', 'unavailable'],
  ['geth', 200, -32000, 'header not found', 'unavailable'],
  ['geth', 200, -32000, 'missing trie node 0xab', 'unavailable'],
  ['geth', 200, 3, 'execution reverted', 'unavailable'],
  ['any', 200, -32000, 'words of no row', 'down'],
  ['an outage', 503, -32000, 'header not found', 'down'],
  ['an outage', 503, 4444, 'pruned history unavailable', 'down'],
  ['a firewall', 403, -1, 'words of no row', 'misconfigured'],
];

test.each(SEEN)('%s with HTTP %p, code %p and "%s" means %s', (_, status, code, message, kind) => {
  expect(kindOf(status, { code, message })).toBe(kind);
});

test.each<[RefusalKind, readonly number[], readonly number[]]>([
  ['too large', [-32003, -32008], [200, 400, 404]],
  ['too large', [-32020], [200, 400, 404, 500]],
  ['rate limit', [15, 429, -32005, -32007, -32016, -32029], [200, 400, 403, 500, 503]],
  ['no method', [-32601], [200, 400, 403, 404]],
  ['no method', [-32004], [200, 400, 404]],
  ['not yet', [-39001], [200, 400, 404]],
  ['pruned', [4444], [200, 400, 404]],
  ['unavailable', [-32001, 3, -32015], [200, 400, 404]],
  ['down', [-32010, -32011], [200, 400, 403, 500]],
])('"%s" is the meaning of the codes %j alone, under the statuses %j', (kind, codes, statuses) => {
  for (const code of codes)
    for (const status of statuses)
      expect([code, status, kindOf(status, { code, message: 'words of no row' })]).toEqual([
        code,
        status,
        kind,
      ]);
});

test.each<[RefusalKind, readonly number[]]>([
  ['down', [200, 400, 408, 500, 503]],
  ['misconfigured', [301, 302, 303, 307, 308, 401, 403, 404, 405, 407]],
  ['too large', [413]],
  ['rate limit', [429]],
  ['quota', [402]],
])('"%s" is the meaning of the statuses %j, if no code or words say more', (kind, statuses) => {
  for (const status of statuses)
    expect([status, kindOf(status, { code: -1, message: 'words of no row' })]).toEqual([status, kind]);
});

test.each([-32000, -32001, -32002, -32603])('only its words distinguish an error of the code %i', (code) => {
  expect(kindOf(200, { code, message: 'finalized block not found' })).toBe('not yet');
  expect(kindOf(200, { code, message: 'header not found' })).toBe('unavailable');
  expect(kindOf(200, { code, message: 'missing trie node' })).toBe('unavailable');
});

test('only the first 300 characters of a message count', () => {
  const at = (end: number) => `${'x'.repeat(end - 'rate limit'.length)}rate limit`;
  expect([300, 301].map((end) => kindOf(200, { code: -1, message: at(end) }))).toEqual([
    'rate limit',
    'down',
  ]);
});

test('a result under HTTP 200 is not a refusal, whatever it says', () => {
  for (const body of [{ id: 1, result: 'rate limit' }, { id: 1, result: null, error: null }, [], null])
    expect(meaningOf({ status: 200, header: none }, body)).toBeUndefined();
});

test.each<[string, NodeResponse, RefusalKind]>([
  ['an error that is a string', { status: 200, body: '{"error":"rate limited"}' }, 'rate limit'],
  ['a text of a proxy', { status: 200, body: 'Too Many Requests' }, 'rate limit'],
  ['HTTP 429 without a body', { status: 429, body: '' }, 'rate limit'],
  ['an error that is a number', { status: 200, body: '{"error":5}' }, 'down'],
  ['HTTP 500', { status: 500, body: '<html>' }, 'down'],
  ['HTTP 204', { status: 204, body: '' }, 'down'],
  ['HTTP 413', { status: 413, body: '' }, 'too large'],
  ['HTTP 401', { status: 401, body: 'no key' }, 'misconfigured'],
  ['a result under HTTP 500', { status: 500, body: '{"id":1,"result":"0x1"}' }, 'down'],
])('%s is understood', async (_, answer, kind) => {
  expect((await errorAfter(answer)).kind).toBe(kind);
});

test('no body makes HTTP 429 and 402 anything but a rate limit and a quota, or improves another status', () => {
  const rows = fc.constantFrom(
    ...REFUSALS.flatMap(({ says = [''], codes = [0] }) => says.map((words) => [codes[0], words])),
  );
  fc.assert(
    fc.property(
      fc.oneof(rows, fc.tuple(fc.integer(), fc.string())),
      fc.integer({ min: 501, max: 599 }),
      ([code, message], status) => {
        const error = { code, message };
        expect(['rate limit', 'quota']).toContain(kindOf(429, error));
        expect(kindOf(402, error)).toBe('quota');
        expect(['rate limit', 'quota', 'down', 'misconfigured']).toContain(kindOf(status, error));
      },
    ),
  );
});

describe('a pause', () => {
  test.each([
    ['seconds', '120', 120_000],
    ['seconds with spaces around them', ' 7 ', 7_000],
    ['more seconds than a number holds', '9'.repeat(400), Infinity],
    ['a date', 'Fri, 20 Nov 2026 12:01:30 GMT', 90_000],
    ['nothing', '', undefined],
    ['another text', 'soon', undefined],
  ])('follows Retry-After in %s', (_, value, pause) => {
    expect(pauseAfter(429, value)).toEqual(pause);
    expect(pauseAfter(503, value)).toEqual(pause);
  });

  test.each([
    ['rate limited, try again in 4ms', 4],
    ['try again in 10 seconds', 10_000],
    ['Retry after 2s', 2_000],
    ['please try again in 3 minutes', 180_000],
    ['retry in 1 hour', 3_600_000],
    ['try again in 20 milliseconds', 20],
    ['retry in 123456789 ms', 123_456_789],
    ['retry in 1234567890 ms', undefined],
    ['retry in 5 days', undefined],
  ])('follows the words "%s"', (message, ms) => {
    expect(pauseAfter(200, undefined, message)).toBe(ms);
  });

  test('follows the seconds in the data of an error', () => {
    expect(pauseAfter(200, undefined, 'rate limited', { rate: { backoff_seconds: 30 } })).toBe(30_000);
    expect(pauseAfter(200, undefined, 'rate limited', { rate: null })).toBeUndefined();
  });

  test('is an hour for a daily quota and six for a monthly one, unless the answer names another', () => {
    expect(pauseAfter(402, undefined)).toEqual(3_600_000);
    expect(pauseAfter(200, undefined, 'daily request count exceeded')).toEqual(3_600_000);
    expect(pauseAfter(429, undefined, 'Monthly capacity limit exceeded')).toEqual(21_600_000);
    expect(pauseAfter(402, '60')).toEqual(60_000);
  });
});
