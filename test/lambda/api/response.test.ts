import { CSV_TYPE, JSON_TYPE } from '../../../lambda/api/formats.ts';
import { historyOf } from '../../../lambda/api/history.ts';
import { isKnown } from '../../../lambda/api/if-none-match.ts';
import { fees, transactionCount } from '../../../lambda/api/metrics.ts';
import { type Asked, answer, notModified, tagOf } from '../../../lambda/api/response.ts';

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

const asked = (given: Partial<Asked> = {}, part: object = {}): Asked => ({
  metric: transactionCount,
  query: { ...query, ...part },
  mediaType: JSON_TYPE,
  coverage,
  yesterday: '2026-11-20',
  ...given,
});

const ask = (given: Partial<Asked> = {}, part: object = {}, known: typeof days = days) => {
  const all = asked(given, part);
  const range = { first: '2020-05-30', last: '2026-11-20' };
  const isFees = all.metric === fees;
  const rows = known.map((day) => [day.date, isFees ? day.fees : day.transaction_count] as const);
  return answer(all, tagOf(all), historyOf(all.metric.field, 4, range, rows));
};

test('counts are integers, a row for each final day and none for the others', () => {
  const { statusCode, headers, body } = ask();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private',
  });
  expect(body).toBe(
    '[{"date":"2026-11-18","transaction_count":7},{"date":"2026-11-20","transaction_count":0}]',
  );
});

test('fees are exact decimal strings of all that was paid, with their coin', () => {
  const { headers, body } = ask({ metric: fees });
  expect(headers).toMatchObject({ 'X-Fees-Currency': 'POL' });
  expect(body).toBe('[{"date":"2026-11-18","fees":"1.000000000000000003"},{"date":"2026-11-20","fees":"0"}]');
  expect(ask().headers).not.toHaveProperty('X-Fees-Currency');
});

test('the same rows are given as CSV', () => {
  const { headers, body } = ask({ metric: fees, mediaType: CSV_TYPE });
  expect(headers).toMatchObject({ 'Content-Type': 'text/csv; charset=utf-8' });
  expect(body).toBe('date,fees\r\n2026-11-18,1.000000000000000003\r\n2026-11-20,0\r\n');
});

test('without final days the answer is an empty array, or just the names of the columns', () => {
  for (const nothing of [undefined, { ...coverage, last: undefined }]) {
    expect(ask({ metric: fees, coverage: nothing }, {}, []).body).toBe('[]');
    expect(ask({ metric: fees, coverage: nothing, mediaType: CSV_TYPE }, {}, []).body).toBe('date,fees\r\n');
    expect(ask({ coverage: nothing }, {}, []).headers).not.toHaveProperty('X-Data-Through');
  }
});

test('days outside of the range are not in the answer, though they are known', () => {
  expect(ask({}, { start_date: '2026-11-19' }).body).toBe('[{"date":"2026-11-20","transaction_count":0}]');
  expect(ask({}, { end_date: '2026-11-17', start_date: '2026-11-01' }).body).toBe('[]');
  expect(ask({}, { start_date: '2030-01-01', end_date: '2030-01-02' }).body).toBe('[]');
});

test('no day is served that the coverage does not tell of yet', () => {
  const behind = { ...coverage, last: '2026-11-19' };
  const { headers, body } = ask({ coverage: behind });
  expect(body).toBe('[{"date":"2026-11-18","transaction_count":7}]');
  expect(headers).toMatchObject({ 'X-Data-Through': '2026-11-19', 'X-Days-Missing': '2' });
});

describe('X-Days-Missing counts the days without a figure', () => {
  const missing = (part: object, known?: typeof days | []) =>
    ask({}, part, known).headers?.['X-Days-Missing'];

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

test('X-Data-Through is the last final day of the chain, whatever the range', () => {
  expect(ask({}, { end_date: '2026-11-18' }).headers).toMatchObject({ 'X-Data-Through': '2026-11-20' });
});

describe('the entity tag', () => {
  test('is strong, the same for the same question on the same data, and that of the answer', () => {
    expect(tagOf(asked())).toMatch(/^"[\x21\x23-\x2b\x2d-\x7e]+"$/);
    expect(tagOf(asked())).toBe(tagOf(asked()));
    expect(ask().headers).toMatchObject({ ETag: tagOf(asked()) });
  });

  test.each<[string, Partial<Asked>, object]>([
    ['of other data', { coverage: { ...coverage, revision: 5 } }, {}],
    ['before there are any data', { coverage: undefined }, {}],
    ['in another format', { mediaType: CSV_TYPE }, {}],
    ['of another chain', {}, { chain: 'BSC' }],
    ['from another day on', {}, { start_date: '2026-11-17' }],
    ['to another day', {}, { end_date: '2026-11-19' }],
  ])('is another %s', (_, given, part) => {
    expect(tagOf(asked(given, part))).not.toBe(tagOf(asked()));
  });

  test('is another once a further day of the range is over, which counts as missing', () => {
    const open = { end_date: '2026-11-30' };
    expect(tagOf(asked({ yesterday: '2026-11-21' }, open))).not.toBe(tagOf(asked({}, open)));
    expect(tagOf(asked({ yesterday: '2026-11-21' }))).toBe(tagOf(asked()));
  });

  test('is found in a list of tags, so it has nothing in it that parts them', () => {
    expect(isKnown(tagOf(asked()), `"a", ${tagOf(asked())} , "b"`)).toBe(true);
  });

  test('comes without a body and without its type when it is known', () => {
    expect(notModified('"tag"')).toEqual({
      statusCode: 304,
      headers: { ETag: '"tag"', 'Cache-Control': 'private', Vary: 'Accept' },
      body: '',
    });
  });
});
