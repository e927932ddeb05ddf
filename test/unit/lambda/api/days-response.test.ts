import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { toCachedDays } from '#lambda/api/cached-days.ts';
import { daysResponse, type QueryContext } from '#lambda/api/days-response.ts';
import { entityTag } from '#lambda/api/entity-tag.ts';
import { CSV_TYPE, JSON_TYPE } from '#lambda/api/formats.ts';
import type { DayQuery } from '#lambda/api/query.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';

const query: DayQuery = {
  chain: 'POLYGON',
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

const contextOf = (given: Partial<QueryContext> = {}, part: object = {}): QueryContext => ({
  hasFees: undefined,
  query: { ...query, ...part },
  mediaType: JSON_TYPE,
  coverage,
  yesterday: '2026-11-20',
  ...given,
});

const ofFees = { hasFees: true };

const respond = (given: Partial<QueryContext> = {}, part: object = {}, known: typeof days = days) => {
  const context = contextOf(given, part);
  const range = { first: '2020-05-30', last: '2026-11-20' };
  const cached = { coverage: undefined, revision: 4, range, days: known };
  const chain = chainOf('POLYGON');
  const all = context.hasFees
    ? toCachedDays(fees.day, chain, cached)
    : toCachedDays(transactionCount.day, chain, cached);
  return daysResponse(context, entityTag(context), all);
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

test('refuses a body that Lambda could not return', () => {
  const digits = 'transaction_count'.length;
  const known = Array.from({ length: 5_000_000 / (40 + digits) }, (_, index) => ({
    date: addDays('0100-01-01', index),
    transaction_count: 10 ** 15,
    execution_fees: 0n,
    ...noL2Fees,
  }));
  expect(() => respond({}, { start_date: '0100-01-01' }, known)).toThrow(/larger than 5 MB/);
});

describe('X-Days-Missing counts the days without a figure', () => {
  const missing = (part: object, known?: typeof days | []) =>
    respond({}, part, known).headers?.['X-Days-Missing'];

  test("since the chain's first day", () => {
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-30' }, [])).toBe('1');
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-29' }, [])).toBe('0');
    expect(missing({ start_date: '2026-10-01', end_date: '2026-10-05', interval: 'quarter' }, [])).toBe('5');
  });
});

test('X-Days-Not-Over counts today and later days of the range', () => {
  const notOver = (part: object) => respond({}, part).headers?.['X-Days-Not-Over'];
  expect(notOver({})).toBe('0');
  expect(notOver({ end_date: '2026-11-23' })).toBe('3');
  expect(notOver({ start_date: '2030-01-01', end_date: '2030-01-31' })).toBe('31');
});

describe('the entity tag', () => {
  test.each<[string, Partial<QueryContext>, object]>([
    ['for another revision of the data', { coverage: { ...coverage, revision: 5 } }, {}],
    ['before any day is final', { coverage: undefined }, {}],
    ['for another format', { mediaType: CSV_TYPE }, {}],
    ['for another chain', {}, { chain: 'BSC' }],
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
