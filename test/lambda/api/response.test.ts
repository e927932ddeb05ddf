import { toCachedDays } from '../../../lambda/api/cached-days.ts';
import { CSV_TYPE, JSON_TYPE } from '../../../lambda/api/formats.ts';
import { matchesIfNoneMatch } from '../../../lambda/api/if-none-match.ts';
import { fees, transactionCount } from '../../../lambda/api/metrics.ts';
import {
  daysResponse,
  entityTag,
  notModifiedResponse,
  type QueryContext,
} from '../../../lambda/api/response.ts';

const query = { chain: 'POLYGON', start_date: '2026-11-18', end_date: '2026-11-20' } as const;

const days = [
  { date: '2026-11-18', transaction_count: 7, fees: '1.000000000000000003' },
  { date: '2026-11-20', transaction_count: 0, fees: '0' },
];

const coverage = {
  from: '2026-11-18',
  through: '2026-11-18',
  last: '2026-11-20',
  revision: 4,
  changes: [],
  changesSince: 0,
};

const contextOf = (given: Partial<QueryContext> = {}, part: object = {}): QueryContext => ({
  metric: transactionCount,
  query: { ...query, ...part },
  mediaType: JSON_TYPE,
  coverage,
  yesterday: '2026-11-20',
  ...given,
});

const respond = (given: Partial<QueryContext> = {}, part: object = {}, known: typeof days = days) => {
  const context = contextOf(given, part);
  const range = { first: '2020-05-30', last: '2026-11-20' };
  const isFees = context.metric === fees;
  const rows = known.map((day) => [day.date, isFees ? day.fees : day.transaction_count] as const);
  return daysResponse(context, entityTag(context), toCachedDays(context.metric.field, 4, range, rows));
};

test('returns counts as integers, with a row for each final day only', () => {
  const { statusCode, headers, body } = respond();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private',
  });
  expect(body).toBe(
    '[{"date":"2026-11-18","transaction_count":7},{"date":"2026-11-20","transaction_count":0}]',
  );
});

test('returns fees as exact decimal strings, with their coin in a header', () => {
  const { headers, body } = respond({ metric: fees });
  expect(headers).toMatchObject({ 'X-Fees-Currency': 'POL' });
  expect(body).toBe('[{"date":"2026-11-18","fees":"1.000000000000000003"},{"date":"2026-11-20","fees":"0"}]');
  expect(respond().headers).not.toHaveProperty('X-Fees-Currency');
});

test('returns the same rows as CSV', () => {
  const { headers, body } = respond({ metric: fees, mediaType: CSV_TYPE });
  expect(headers).toMatchObject({ 'Content-Type': 'text/csv; charset=utf-8' });
  expect(body).toBe('date,fees\r\n2026-11-18,1.000000000000000003\r\n2026-11-20,0\r\n');
});

test('returns an empty array, or a CSV header alone, without final days', () => {
  for (const nothing of [undefined, { ...coverage, last: undefined }]) {
    expect(respond({ metric: fees, coverage: nothing }, {}, []).body).toBe('[]');
    expect(respond({ metric: fees, coverage: nothing, mediaType: CSV_TYPE }, {}, []).body).toBe(
      'date,fees\r\n',
    );
    expect(respond({ coverage: nothing }, {}, []).headers).not.toHaveProperty('X-Data-Through');
  }
});

test('omits cached days outside the range', () => {
  expect(respond({}, { start_date: '2026-11-19' }).body).toBe(
    '[{"date":"2026-11-20","transaction_count":0}]',
  );
  expect(respond({}, { end_date: '2026-11-17', start_date: '2026-11-01' }).body).toBe('[]');
  expect(respond({}, { start_date: '2030-01-01', end_date: '2030-01-02' }).body).toBe('[]');
});

test('omits days after the last day of the coverage', () => {
  const behind = { ...coverage, last: '2026-11-19' };
  const { headers, body } = respond({ coverage: behind });
  expect(body).toBe('[{"date":"2026-11-18","transaction_count":7}]');
  expect(headers).toMatchObject({ 'X-Data-Through': '2026-11-19', 'X-Days-Missing': '2' });
});

describe('X-Days-Missing counts the days without a figure', () => {
  const missing = (part: object, known?: typeof days | []) =>
    respond({}, part, known).headers?.['X-Days-Missing'];

  test('within the range', () => {
    expect(missing({})).toBe('1');
    expect(missing({}, [])).toBe('3');
  });

  test('up to yesterday', () => {
    expect(missing({ end_date: '2030-01-01' })).toBe('1');
    expect(missing({ start_date: '2026-11-21', end_date: '2030-01-01' }, [])).toBe('0');
  });

  test("since the chain's first day", () => {
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-30' }, [])).toBe('1');
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-29' }, [])).toBe('0');
  });
});

test("X-Data-Through is the chain's last final day, whatever the range", () => {
  expect(respond({}, { end_date: '2026-11-18' }).headers).toMatchObject({ 'X-Data-Through': '2026-11-20' });
});

describe('the entity tag', () => {
  test('is strong, deterministic, and that of the response', () => {
    expect(entityTag(contextOf())).toMatch(/^"[\x21\x23-\x2b\x2d-\x7e]+"$/);
    expect(entityTag(contextOf())).toBe(entityTag(contextOf()));
    expect(respond().headers).toMatchObject({ ETag: entityTag(contextOf()) });
  });

  test.each<[string, Partial<QueryContext>, object]>([
    ['for another revision of the data', { coverage: { ...coverage, revision: 5 } }, {}],
    ['before any day is final', { coverage: undefined }, {}],
    ['for another format', { mediaType: CSV_TYPE }, {}],
    ['for another chain', {}, { chain: 'BSC' }],
    ['for another first day', {}, { start_date: '2026-11-17' }],
    ['for another last day', {}, { end_date: '2026-11-19' }],
  ])('differs %s', (_, given, part) => {
    expect(entityTag(contextOf(given, part))).not.toBe(entityTag(contextOf()));
  });

  test('changes when another day of the range is complete, which then counts as missing', () => {
    const open = { end_date: '2026-11-30' };
    expect(entityTag(contextOf({ yesterday: '2026-11-21' }, open))).not.toBe(entityTag(contextOf({}, open)));
    expect(entityTag(contextOf({ yesterday: '2026-11-21' }))).toBe(entityTag(contextOf()));
  });

  test('matches within a list of tags, so it holds no separator', () => {
    expect(matchesIfNoneMatch(entityTag(contextOf()), `"a", ${entityTag(contextOf())} , "b"`)).toBe(true);
  });

  test('is sent with a 304 response that has neither body nor Content-Type', () => {
    expect(notModifiedResponse('"tag"')).toEqual({
      statusCode: 304,
      headers: { ETag: '"tag"', 'Cache-Control': 'private', Vary: 'Accept' },
      body: '',
    });
  });
});
