import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import * as z from 'zod';
import type { UtcDay } from '#core/figures/calendar.ts';
import { eventually } from '../eventually.ts';
import { expectedRows, type KnownChain } from '../known-chain.ts';
import { gapOf, type Target } from '../options.ts';
import type { Report } from '../report.ts';
import { ORIGIN } from '../stage-settings.ts';

/** The deployed API and a key for it. */
export interface Api {
  /** Ends with a slash. */
  readonly url: string;
  readonly key: string;
}

interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True if the body is Base64 in place of bytes. */
  readonly isBase64: boolean;
}

const BASE = 'api/chain-insights';
/** Time that a change of the API takes at most until requests see it. */
const PROPAGATION = { limitMs: 90_000, pauseMs: 3_000 };
const JSON_BODY = { 'content-type': 'application/json' };

/** The first byte of what gzip compresses. */
const GZIP = 0x1f;

/** Calls the API. `fetch` would refuse a GET with a body. */
async function call(
  { url, key }: Api,
  { method = 'GET', path, query = {}, body, headers = {} }: Call,
): Promise<Response> {
  const {
    statusCode,
    headers: received,
    body: stream,
  } = await request(new URL(path, url), {
    method,
    query,
    body: body ?? null,
    headers: { ...(key && { 'x-api-key': key }), ...headers },
  });
  const bytes = Buffer.from(await stream.arrayBuffer());
  const isZipped = received['content-encoding'] === 'gzip';
  const isBase64 = isZipped && bytes[0] !== GZIP;
  const packed = isBase64 ? Buffer.from(bytes.toString(), 'base64') : bytes;
  const text = (isZipped ? gunzipSync(packed) : packed).toString();
  return { status: statusCode, headers: received, text, isBase64 };
}

const inputOf = ({ name, days }: KnownChain) => ({
  chain: name,
  start_date: days[0] ?? '',
  end_date: days.at(-1) ?? '',
});

/** Returns the bodies of all days of some chains, from the endpoints that every release has. */
export async function responsesOf(api: Api, chains: readonly KnownChain[]): Promise<readonly string[]> {
  const calls = chains.flatMap((chain) =>
    FIRST_SERIES.map((one) => ({ path: `${BASE}/${one}`, query: inputOf(chain) })),
  );
  return Promise.all(calls.map(async (made) => (await call(api, made)).text));
}

const FIRST_SERIES = ['transaction_count', 'fees'] as const;
const SERIES = [...FIRST_SERIES, 'days'] as const;

/** A chain with those of its days that must be final. */
export interface Expected {
  readonly chain: KnownChain;
  readonly final: readonly UtcDay[];
}

/** Rows without the members that depend on the run of the ingest. */
const rowsSchema = z.array(
  z
    .looseObject({ date: z.string() })
    .transform(
      ({
        evidence,
        definition_version,
        measures_version,
        distribution_version,
        revision,
        ingested_at,
        parent_hash,
        finality,
        fees_usd,
        price,
        unpriced_reason,
        restatements,
        ...figures
      }) => figures,
    ),
);

/** Members that days of an import lack. interval-sums.slow.test.ts and series.test.ts compare them. */
const MEASURES =
  /^(gas_used|failed_transaction_count|blob_count|base_fees|priority_fees|(median|p10|p90)_fee)$/;

const unmeasured = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !MEASURES.test(name)));

/** Checks every figure of a chain, requested in three ways. */
export async function checkFigures(report: Report, api: Api, { chain, final }: Expected): Promise<void> {
  const { name, days } = chain;
  const input = inputOf(chain);
  const body = JSON.stringify(input);
  for (const one of SERIES) {
    const path = `${BASE}/${one}`;
    const calls: Readonly<Record<string, Call>> = {
      POST: { method: 'POST', path, body, headers: JSON_BODY },
      GET: { path, query: input },
      'GET with a body': { path, body, headers: JSON_BODY },
    };
    for (const [title, made] of Object.entries(calls)) {
      await report.check(`${title} returns the ${final.length} final days of ${one} of ${name}`, async () => {
        const { status, headers, text } = await call(api, made);
        equal(status, 200, text);
        const rows = rowsSchema.parse(JSON.parse(text));
        deepEqual(rows.map(unmeasured), expectedRows(chain, final)[one]);
        equal(headers['x-days-missing'], String(days.length - final.length));
      });
    }
  }
}

const todaySchema = z.object({ chain: z.string(), date: z.string() });
const chainsSchema = z.array(
  z.object({
    chain: z.string(),
    first_final_day: z.string().nullable(),
    last_final_day: z.string().nullable(),
  }),
);

/** Checks formats, validation and conditional requests. */
export async function checkResponses(report: Report, api: Api, { chain, final }: Expected): Promise<void> {
  const path = `${BASE}/fees`;
  const query = { chain: chain.name, start_date: final[0] ?? '', end_date: final.at(-1) ?? '' };
  await report.check('Accept: text/csv returns the same figures as CSV', async () => {
    const { text } = await call(api, { path, query, headers: { accept: 'text/csv' } });
    const rows = expectedRows(chain, final).fees.map(({ date, fees }) => `${date},${fees}`);
    deepEqual(text.trim().split(/\r?\n/), ['date,fees', ...rows]);
  });
  await report.check('If-None-Match with the entity tag returns 304', async () => {
    // For some seconds after a commit, responses have no tag.
    const isUnchanged = async () => {
      const { headers } = await call(api, { path, query });
      const again = await call(api, { path, query, headers: { 'if-none-match': String(headers.etag) } });
      equal(again.status, 304);
    };
    await eventually(isUnchanged, { limitMs: 15_000, pauseMs: 1_000 });
  });
  await report.check('HEAD returns the headers of GET, and no body', async () => {
    const [get, head] = [await call(api, { path, query }), await call(api, { method: 'HEAD', path, query })];
    equal(head.status, 200);
    equal(head.text, '');
    equal(head.headers.etag, get.headers.etag);
  });
  for (const [route, interval] of [
    ['fees', 'week'],
    ['days', 'hour'],
    ['distribution', 'day'],
  ] as const)
    await report.check(`${route} answers with interval=${interval}`, async () => {
      const { status, text } = await call(api, { path: `${BASE}/${route}`, query: { ...query, interval } });
      equal(status, 200, text);
    });
  await report.check('today returns the running day of the chain', async () => {
    const { status, text } = await call(api, { path: `${BASE}/today`, query: { chain: chain.name } });
    equal(status, 200, text);
    deepEqual(todaySchema.parse(JSON.parse(text)), {
      chain: chain.name,
      date: new Date().toISOString().slice(0, 10),
    });
  });
  await report.check('chains returns the final days of the chain', async () => {
    const { text } = await call(api, { path: `${BASE}/chains` });
    const found = chainsSchema.parse(JSON.parse(text)).find((row) => row.chain === chain.name);
    deepEqual([found?.first_final_day, found?.last_final_day], [final[0], final.at(-1)]);
  });
  await report.check('an unknown chain returns 400 and names the field', async () => {
    const { status, text } = await call(api, { path, query: { ...query, chain: 'NOWHERE' } });
    equal(status, 400);
    match(text, /"field":"chain"/);
  });
  await report.check('a body of 20 KB returns 413', async () => {
    const body = JSON.stringify({ ...query, padding: 'x'.repeat(20_000) });
    equal((await call(api, { method: 'POST', path, body, headers: JSON_BODY })).status, 413);
  });
}

const OPEN_PAGES = [
  { path: '', type: 'text/html' },
  { path: 'docs', type: 'text/html' },
  { path: 'openapi.json', type: 'application/json' },
  { path: 'clients/chain_insights.py', type: 'text/x-python' },
] as const;

/** As browsers and curl send it. AWS does not say whether a response is decoded from Base64 for a request without it. */
const ANY = { accept: '*/*' };

/** Checks that each page, and each file that it names, is served to everyone. */
export async function checkPages(report: Report, { url }: Api, target: Target): Promise<void> {
  const { path } = OPEN_PAGES[0];
  await report.check(
    'pages come as bytes, not as Base64',
    async () => equal((await call({ url, key: '' }, { path, headers: ANY })).isBase64, false),
    gapOf(target, 'emulators may not know that */* stands for every type'),
  );
  for (const { path, type } of OPEN_PAGES) {
    await report.check(`/${path} is served without a key, with its files`, async () => {
      const { status, headers, text } = await call({ url, key: '' }, { path, headers: ANY });
      equal(status, 200, text);
      equal(String(headers['content-type']).split(';')[0], type);
      // This request has no Accept-Encoding, and so allows any. The tool decompresses what it checks.
      equal(headers['content-encoding'], 'gzip');
      const forbidden = { path, headers: { ...ANY, 'accept-encoding': 'identity' } };
      equal((await call({ url, key: '' }, forbidden)).status, 406);
      const files = [...text.matchAll(/"((?:assets|clients)\/[\w.-]+)"/g)].map(([, file = '']) => file);
      if (type === 'text/html') notEqual(files.length, 0);
      for (const file of new Set(files))
        equal((await call({ url, key: '' }, { path: file, headers: ANY })).status, 200, file);
    });
  }
}

/** Checks the requests that the gateway refuses on its own. */
export async function checkRefusals(report: Report, api: Api, target: Target): Promise<void> {
  const path = `${BASE}/fees`;
  const refusals = [
    { title: 'no key', from: { ...api, key: '' }, path, status: 403 },
    { title: 'a wrong key', from: { ...api, key: 'wrong-key-of-twenty-letters' }, path, status: 403 },
    { title: 'an unknown path', from: api, path: `${BASE}/unknown`, status: 404 },
  ];
  for (const { title, from, path, status } of refusals) {
    await report.check(`${title} returns ${status}`, async () =>
      equal((await call(from, { path })).status, status),
    );
    await report.check(
      `${title} returns problem+json`,
      async () => {
        const { headers, text } = await call(from, { path });
        match(String(headers['content-type']), /^application\/problem\+json/);
        equal(JSON.parse(text).status, status);
      },
      gapOf(target, 'emulators may send errors of their own'),
    );
  }
}

/** Checks that pages of the allowed origin may call the API. */
export async function checkCors(report: Report, api: Api, target: Target): Promise<void> {
  const path = `${BASE}/fees`;
  const headers = { origin: ORIGIN };
  const allowed = (response: Response) => equal(response.headers['access-control-allow-origin'], ORIGIN);
  await report.check(`${ORIGIN} passes the preflight`, async () => {
    const preflight = { ...headers, 'access-control-request-method': 'GET' };
    await eventually(async () => {
      const response = await call({ ...api, key: '' }, { method: 'OPTIONS', path, headers: preflight });
      equal(response.status, 204);
      allowed(response);
    }, PROPAGATION);
  });
  await report.check(`${ORIGIN} may read errors of the functions`, async () =>
    allowed(await call(api, { path, headers })),
  );
  await report.check(
    `${ORIGIN} may read errors of the gateway`,
    async () => allowed(await call({ ...api, key: '' }, { path, headers })),
    gapOf(target, 'emulators may leave out these headers'),
  );
}

/** Waits until a new key is valid. API Gateway takes some seconds. */
export async function waitForKey(api: Api, chain: KnownChain): Promise<void> {
  await eventually(async () => {
    const { status, text } = await call(api, { path: `${BASE}/fees`, query: inputOf(chain) });
    equal(status, 200, text);
  }, PROPAGATION);
}
