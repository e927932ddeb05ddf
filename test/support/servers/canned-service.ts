import { createServer } from 'node:http';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import { addDays, countDays, endOfPeriod, later, startOfPeriod } from '#core/figures/calendar.ts';
import { pageResponse } from '#lambda/pages/page-response.ts';
import { PUBLIC_DAYS_PATH } from '#lambda/pages/paths.ts';
import { readSite, siteFile } from '#lambda/pages/site.ts';
import { endServer, listen } from '#local/listen.ts';
import { createFolder } from '#test/support/folders.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { buildSite } from '#web/build.ts';
import type { FullRow } from '#web/data/rows.ts';
import { hoursOf, intervalLabels, type ShownInterval } from '#web/model/periods.ts';

/*
 * The pages with their real headers, and canned days of all chains from 2024-01-01 to 2026-11-21. Base misses 2026-11-10, Polygon has no
 * figure after 2026-11-19 and one day that waits, the last day of each chain was reported by hosts, Arbitrum's 2026-11-05 was restated, Base's 2026-10-15 is a peak, and BSC's 2026-11-05 has one block.
 * Days before 2026-06-01 have no measures, typical fees or hours, as those of an import may. Of the running day, seven hours are over; Polygon has none of it.
 */

export const CANNED_KEY = 'canned-key';
/** The moment that the tests set the browser's clock to. */
export const CANNED_NOW = '2026-11-22T08:00:00Z';
const FIRST = '2024-01-01';
const FIRST_MEASURED = '2026-06-01';

const lastOf = (chain: ChainName) => (chain === 'POLYGON' ? '2026-11-19' : '2026-11-21');

/** Returns a canned day, or undefined on a day without a figure. */
export function cannedDay(chain: ChainName, date: string): FullRow | undefined {
  if (date < FIRST || date > lastOf(chain) || (chain === 'BASE' && date === '2026-11-10')) return undefined;
  const number = countDays(FIRST, date);
  const peak = chain === 'BASE' && date === '2026-10-15' ? 10n : 1n;
  const fees =
    peak * (BigInt(chainNames.indexOf(chain) + 2) * 10n ** 18n + BigInt(number) * 1_000_000_000_000_001n);
  const isRestated = chain === 'ARBITRUM' && date === '2026-11-05';
  const isOneBlock = chain === 'BSC' && date === '2026-11-05';
  const firstBlock = { number: number * 7_200, hash: `0x${String(number).padStart(64, 'a')}` };
  const lastHashOf = (day: number) => `0x${String(day).padStart(64, 'b')}`;
  const restatement = { reason: 'verify found another count', restated_at: '2026-11-07T09:00:00.000Z' };
  return dayRow(date, {
    fees: coinAmount(fees),
    execution_fees: coinAmount(fees - fees / 4n),
    l1_data_fees: coinAmount(fees / 4n),
    transaction_count: 1_000_000 + number,
    user_transaction_count: 999_000 + number,
    protocol_transaction_count: 1_000,
    first_block: firstBlock,
    last_block: { number: number * 7_200 + 7_199, hash: lastHashOf(number) },
    parent_hash: lastHashOf(number - 1),
    finality:
      chain === 'ETHEREUM'
        ? { kind: 'sync committee', slot: 10_000_000 + number, root: lastHashOf(number) }
        : { kind: 'reported', hosts: ['a.example', 'b.example'] },
    ...(date >= FIRST_MEASURED && measured(fees, number)),
    ...(date >= FIRST_MEASURED && priced(chain, date, fees)),
    ...(isOneBlock && { block_count: 1, last_block: firstBlock }),
    ...(isRestated && {
      revision: 2,
      restatements: [{ ...restatement, revision: 1, transaction_count: 1_000_001, fees: '2.5' }],
    }),
  });
}

/** The figures that a day may lack. */
const measured = (fees: bigint, number: number): Partial<FullRow> => ({
  base_fees: coinAmount(fees - fees / 2n),
  priority_fees: coinAmount(fees / 2n - fees / 4n),
  median_fee: { from: '0.000213', to: '0.000221' },
  p10_fee: { from: '0.0001', to: '0.000104' },
  p90_fee: { from: '0.000936', to: '0.000973' },
  failed_transaction_count: 5_000 + number,
  gas_used: String(10n ** 17n + BigInt(number)),
  blob_count: 0,
});

/** Dollars per coin. */
const PRICES: Readonly<Record<string, bigint>> = { ETH: 3_000n, BNB: 900n, POL: 1n };

/** Polygon's feed was silent on one day. */
function priced(chain: ChainName, date: string, fees: bigint): Partial<FullRow> {
  if (chain === 'POLYGON' && date === '2026-11-05')
    return { unpriced_reason: 'stale: the price of round 7 was 400 seconds old, and at most 300 count' };
  const dollars = PRICES[chainOf(chain).coin] ?? 1n;
  const aggregator = `0x${'7d'.repeat(20)}`;
  return {
    fees_usd: coinAmount(fees * dollars),
    price: { first: `${dollars}.25`, last: `${dollars}`, updates: 41, aggregator, evidence: 'proven' },
  };
}

/** The figures of each past hour, and those of each hour of the running day: 12% more. */
const HOUR = { transaction_count: 40_000, fees: '0.1' };
const HOUR_OF_TODAY = { transaction_count: 44_800, fees: '0.112' };
const TODAY = CANNED_NOW.slice(0, 10);

/** Returns the running day of a chain, through 07:37. */
export const cannedToday = (chain: ChainName) =>
  chain === 'POLYGON'
    ? { chain, date: TODAY }
    : {
        chain,
        date: TODAY,
        through: { number: 7_500_000, hash: `0x${'c'.repeat(64)}`, time: `${TODAY}T07:37:59.000Z` },
        transaction_count: 339_600,
        fees: '0.884',
        hours: hoursOf(TODAY)
          .slice(0, 7)
          .map((date) => ({ date, ...HOUR_OF_TODAY })),
      };

function rowsOf(chain: ChainName, start: string, end: string, interval: ShownInterval): FullRow[] {
  const dates = Array.from({ length: countDays(start, end) }, (_, index) => addDays(start, index));
  const days = dates.flatMap((date) => cannedDay(chain, date) ?? []);
  if (interval === 'day') return days;
  if (interval === 'hour')
    return days.flatMap(({ date, gas_used }) =>
      gas_used === undefined ? [] : hoursOf(date).map((hour) => dayRow(hour, { gas_used: '21000', ...HOUR })),
    );
  const periods = Map.groupBy(days, ({ date }) => startOfPeriod(interval, date));
  return [...periods].flatMap(([date, of]) => {
    const first = later(date, chainOf(chain).firstDay);
    if (first < start || endOfPeriod(interval, date) > end) return [];
    if (of.length !== countDays(first, endOfPeriod(interval, date))) return [];
    return [
      {
        ...dayRow(date, { transaction_count: of.reduce((sum, one) => sum + one.transaction_count, 0) }),
        day_count: of.length,
      },
    ];
  });
}

/** A service of few chains: with more, the page lists them in a menu. */
export const cannedChains = chainNames.slice(0, 8);

export const statusOf = (chain: ChainName) => ({
  chain,
  name: chain,
  first_final_day: FIRST,
  last_final_day: lastOf(chain),
  waiting_days: chain === 'POLYGON' ? 1 : 0,
  scheduled:
    chain === 'ETHEREUM'
      ? [{ name: 'blobs 21/32', at: '2026-12-18T00:00:00.000Z', host: 'a.example', followed: false }]
      : [],
  conflicts: [],
  seconds_behind: chain === 'POLYGON' ? 180_000 : 60,
});

const statuses = cannedChains.map(statusOf);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function answerTo({ pathname, searchParams }: URL, key: string | undefined): Answer {
  if (key !== CANNED_KEY)
    return { status: 403, body: { detail: 'The X-API-Key header is missing, or its key is not valid.' } };
  if (pathname.endsWith('/chains')) return { status: 200, body: statuses };
  const names = searchParams.get('chain')?.split(',') ?? [];
  const chains = names.flatMap((one) => chainNames.filter((name) => name === one));
  const isKnown = chains.length === names.length;
  if (isKnown && pathname.endsWith('/today')) {
    const [only, ...others] = chains.map(cannedToday);
    return { status: 200, body: others.length === 0 ? only : [only, ...others] };
  }
  const [start, end] = [searchParams.get('start_date') ?? '', searchParams.get('end_date') ?? ''];
  const interval = searchParams.get('interval');
  if (!isKnown || start > end) return { status: 400, body: { detail: 'Invalid fields.' } };
  const period = interval && interval in intervalLabels ? (interval as ShownInterval) : 'day';
  const body = chains.flatMap((chain) =>
    rowsOf(chain, start, end, period).map((row) => (chains.length === 1 ? row : { chain, ...row })),
  );
  return { status: 200, body };
}

/** Starts the service. @returns its URL, and a function that ends it */
export async function startCannedService(embedOrigins = '', banner = '') {
  const folder = createFolder();
  buildSite(folder, [], banner);
  const site = new Map(readSite(folder, { 'public-days': 'yes', embed: 'yes' }));
  site.set(PUBLIC_DAYS_PATH, siteFile('application/json', '{"chains":[]}'));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname.startsWith('/api/')) {
      const { status, body } = answerTo(url, request.headers['x-api-key']?.toString());
      const type = status === 200 ? 'application/json' : 'application/problem+json';
      response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(body));
      return;
    }
    const resource = url.pathname.startsWith('/assets/') ? '/assets/{file}' : url.pathname;
    const page = pageResponse(site, eventOf(url, { resource }), embedOrigins);
    const body = Buffer.from(page.body, page.isBase64Encoded ? 'base64' : 'utf8');
    response.writeHead(page.statusCode, page.headers as Record<string, string>).end(body);
  });
  return { url: `http://localhost:${await listen(server, { port: 0 })}`, close: () => endServer(server) };
}
