import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { Coverage } from '#core/store/chain/coverage.ts';
import { toCachedDays } from '#lambda/api/cached-days.ts';
import { daysResponse, notModifiedResponse, type QueryContext } from '#lambda/api/days-response.ts';
import { entityTag } from '#lambda/api/entity-tag.ts';
import { CSV_TYPE, JSON_TYPE } from '#lambda/api/formats.ts';
import type { DayQuery } from '#lambda/api/query.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';

const query: DayQuery = {
  chains: ['POLYGON'],
  start_date: '2026-11-18',
  end_date: '2026-11-20',
  interval: 'day',
  isRelative: false,
};
const noL2Fees = { l1_data_fees: 0n, operator_fees: 0n, blob_fees: 0n };
const days = [
  { date: '2026-11-18', transaction_count: 7, execution_fees: 10n ** 18n + 3n, ...noL2Fees },
  { date: '2026-11-20', transaction_count: 0, execution_fees: 0n, ...noL2Fees },
];

const coverage = {
  days: '',
  from_day: '2026-11-18',
  through_day: '2026-11-18',
  last_day: '2026-11-20',
  revision: 4,
  changes: [],
  changes_since: 0,
  waiting_days: 0,
};

type Given = Partial<QueryContext> & { readonly coverage?: Coverage | undefined };

const contextOf = (given: Given = {}, part: Partial<DayQuery> = {}): QueryContext => {
  const asked = { ...query, ...part };
  const known = 'coverage' in given ? given.coverage : coverage;
  return {
    hasFees: undefined,
    query: asked,
    mediaType: JSON_TYPE,
    chains: asked.chains.map((chain) => ({ chain, coverage: known })),
    yesterday: '2026-11-20',
    ...given,
  };
};

const ofFees = { hasFees: true };

const respond = (given: Given = {}, part: Partial<DayQuery> = {}, known: typeof days = days) => {
  const context = contextOf(given, part);
  const range = { first: '2020-05-30', last: '2026-11-20' };
  const cached = { coverage: undefined, revision: 4, range, days: known };
  const chain = chainOf('POLYGON');
  const all = context.hasFees
    ? toCachedDays(fees.day, chain, cached)
    : toCachedDays(transactionCount.day, chain, cached);
  const read = context.chains.map((one) => ({ ...one, days: all, archived: undefined }));
  return daysResponse(context, entityTag(context), read);
};

test('returns an empty array, or a CSV header alone, without final days', () => {
  for (const nothing of [undefined, { ...coverage, last_day: undefined }]) {
    expect(respond({ ...ofFees, coverage: nothing }, {}, []).body).toBe('[]');
    expect(respond({ ...ofFees, coverage: nothing, mediaType: CSV_TYPE }, {}, []).body).toBe('date,fees\r\n');
    expect(respond({ coverage: nothing }, {}, []).headers).not.toHaveProperty('X-Data-Through');
  }
});

test('omits days after the last day of the coverage', () => {
  const behind = { ...coverage, last_day: '2026-11-19' };
  const { headers, body } = respond({ coverage: behind });
  expect(body).toBe('[{"date":"2026-11-18","transaction_count":7}]');
  expect(headers).toMatchObject({ 'X-Data-Through': '2026-11-19', 'X-Days-Missing': '2' });
});

test('states the resolved days only when one was relative', () => {
  expect(respond().headers).not.toHaveProperty('X-Start-Date');
  expect(respond({}, { isRelative: true }).headers).toMatchObject({
    'X-Start-Date': '2026-11-18',
    'X-End-Date': '2026-11-20',
  });
});

/** Days whose rows are a body of a length in characters. */
function daysOfBody(length: number): typeof days {
  const rowLength = '{"date":"0100-01-01","transaction_count":1000000000000000},'.length;
  const count = Math.ceil((length - 1) / rowLength);
  let excess = count * rowLength + 1 - length;
  return Array.from({ length: count }, (_, index) => {
    const shorter = Math.min(15, excess);
    excess -= shorter;
    const date = addDays('0100-01-01', index);
    return { date, transaction_count: 10 ** (15 - shorter), execution_fees: 0n, ...noL2Fees };
  });
}

test('answers with 5 MB, and refuses a longer body, which Lambda could not return', () => {
  const since = { start_date: '0100-01-01' };
  expect(respond({}, since, daysOfBody(5_000_000)).body).toHaveLength(5_000_000);
  expect(() => respond({}, since, daysOfBody(5_000_001))).toThrow(/larger than 5 MB/);
});

test('a response without a tag may not be stored, since a commit may not be read yet', () => {
  const { statusCode, headers } = daysResponse(contextOf(), undefined, []);
  expect([statusCode, headers?.['Cache-Control'], headers?.ETag]).toEqual([200, 'no-store', undefined]);
  expect(respond().headers).toMatchObject({ 'Cache-Control': 'private', ETag: entityTag(contextOf()) });
});

test('a client that has the current response gets 304 with the same caching headers', () => {
  expect(notModifiedResponse('"tag"')).toEqual({
    statusCode: 304,
    headers: { ETag: '"tag"', 'Cache-Control': 'private', Vary: 'Accept' },
    body: '',
  });
});

describe('X-Days-Archived', () => {
  const archivedOf = (archived: readonly (typeof days)[number][], part: Partial<DayQuery> = {}) => {
    const context = contextOf({}, part);
    const range = { first: '2020-05-30', last: '2026-11-20' };
    const cached = { coverage: undefined, revision: 4, range };
    const cache = (known: typeof archived) =>
      toCachedDays(transactionCount.day, chainOf('POLYGON'), { ...cached, days: known });
    const read = context.chains.map((one) => ({ ...one, days: cache(days), archived: cache(archived) }));
    return daysResponse(context, undefined, read).headers?.['X-Days-Archived'];
  };

  test('counts those days of the range that come from an archive', () => {
    expect(archivedOf(days)).toBe('2');
    expect(archivedOf(days, { start_date: '2026-11-19' })).toBe('1');
  });

  test('is absent if none does, or nobody counts them', () => {
    expect(archivedOf([])).toBeUndefined();
    expect(archivedOf(days, { start_date: '2026-11-19', end_date: '2026-11-19' })).toBeUndefined();
    expect(respond().headers).not.toHaveProperty('X-Days-Archived');
  });
});

describe('X-Days-Missing counts the days without a figure', () => {
  const missing = (part: Partial<DayQuery>, known?: typeof days | []) =>
    respond({}, part, known).headers?.['X-Days-Missing'];

  test('of the range, whatever days before it are final', () => {
    expect(missing({})).toBe('1');
    expect(missing({ start_date: '2026-11-19' })).toBe('1');
    expect(missing({ start_date: '2026-11-20' })).toBe('0');
  });

  test("since the chain's first day", () => {
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-30' }, [])).toBe('1');
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-29' }, [])).toBe('0');
    expect(missing({ start_date: '2026-10-01', end_date: '2026-10-05', interval: 'quarter' }, [])).toBe('5');
  });
});

test('X-Days-Not-Over counts today and later days of the range', () => {
  const notOver = (part: Partial<DayQuery>) => respond({}, part).headers?.['X-Days-Not-Over'];
  expect(notOver({})).toBe('0');
  expect(notOver({ end_date: '2026-11-23' })).toBe('3');
  expect(notOver({ start_date: '2030-01-01', end_date: '2030-01-31' })).toBe('31');
});

describe('the entity tag', () => {
  test.each<[string, Given, Partial<DayQuery>]>([
    ['for another revision of the data', { coverage: { ...coverage, revision: 5 } }, {}],
    ['before any day is final', { coverage: undefined }, {}],
    ['for another format', { mediaType: CSV_TYPE }, {}],
    ['for another chain', {}, { chains: ['BSC'] }],
    ['for one chain more', {}, { chains: ['POLYGON', 'BSC'] }],
    ['for another first day', {}, { start_date: '2026-11-17' }],
    ['for another last day', {}, { end_date: '2026-11-19' }],
    ['for another interval', {}, { interval: 'week' }],
  ])('differs %s', (_, given, part) => {
    expect(entityTag(contextOf(given, part))).not.toBe(entityTag(contextOf()));
  });
});

test('answers with chosen fields in JSON, under a tag of their own, and with all columns in CSV', () => {
  const chosen = respond(ofFees, { fields: 'fees' });
  expect(JSON.parse(chosen.body)[0]).toEqual({ date: '2026-11-18', fees: '1.000000000000000003' });
  expect(JSON.parse(respond(ofFees, { fields: 'evidence' }).body)[0]).toEqual({ date: '2026-11-18' });
  expect(chosen.headers?.ETag).not.toBe(respond(ofFees).headers?.ETag);
  const csv = { ...ofFees, mediaType: CSV_TYPE } as const;
  expect(respond(csv, { fields: 'date' }).body).toBe(respond(csv).body);
});

describe('with several chains', () => {
  const chains = { chains: ['POLYGON', 'BSC'] } as const;
  const first = '"date":"2026-11-18","fees":"1.000000000000000003"';

  test('each row begins with its chain, in the order of the request and then by date', () => {
    const { body } = respond(ofFees, chains);
    const rows: readonly { chain: string; date: string }[] = JSON.parse(body);
    expect(rows.map(({ chain, date }) => `${chain} ${date}`)).toEqual([
      'POLYGON 2026-11-18',
      'POLYGON 2026-11-20',
      'BSC 2026-11-18',
      'BSC 2026-11-20',
    ]);
    expect(body).toMatch(`[{"chain":"POLYGON",${first}},`);
    const csv = respond({ ...ofFees, mediaType: CSV_TYPE }, chains).body.split('\r\n');
    expect(csv.slice(0, 4)).toEqual([
      'chain,date,fees',
      'POLYGON,2026-11-18,1.000000000000000003',
      'POLYGON,2026-11-20,0',
      'BSC,2026-11-18,1.000000000000000003',
    ]);
  });

  test('chosen fields keep the chain', () => {
    const [row] = JSON.parse(respond(ofFees, { ...chains, fields: 'fees' }).body);
    expect(JSON.stringify(row)).toBe(`{"chain":"POLYGON",${first}}`);
  });

  test('missing days are added up, and headers of one chain are left out', () => {
    const { headers } = respond(ofFees, chains);
    expect(headers).toMatchObject({ 'X-Days-Missing': '2', 'X-Days-Not-Over': '0' });
    expect(headers).not.toHaveProperty('X-Data-Through');
    expect(headers).not.toHaveProperty('X-Fees-Currency');
  });

  test('without a day, the body is empty or a header alone', () => {
    const nothing = { ...ofFees, coverage: undefined };
    expect(respond(nothing, chains, []).body).toBe('[]');
    expect(respond({ ...nothing, mediaType: CSV_TYPE }, chains, []).body).toBe('chain,date,fees\r\n');
  });

  test('the limit of a body holds for all together', () => {
    const half = daysOfBody(2_500_000);
    const range = { start_date: '0100-01-01' };
    expect(respond({}, range, half).body).toHaveLength(2_500_000);
    expect(() => respond({}, { ...range, ...chains }, half)).toThrow(/Request fewer days or chains/);
  });
});
