import { answer, CSV_TYPE, JSON_TYPE, type Known, type Wanted } from '../../../lambda/api/answer.ts';
import { fees, transactionCount } from '../../../lambda/api/metrics.ts';
import { NO_FEES } from '../../../lambda/chains/fees.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { hashOf } from '../../support/builders.ts';

const query = { chain: 'POLYGON', start_date: '2026-11-18', end_date: '2026-11-20' } as const;

const day = (date: string, transactions: number, execution = 0n) => ({
  day: date,
  totals: {
    ...NO_TOTALS,
    transactions,
    fees: { ...NO_FEES, execution, l1Data: 1n, operator: 1n, blob: 1n, reportedTwice: 5n },
  },
  last: { number: 9, hash: hashOf(9) },
  definitionVersion: 1,
});

const known: Known = {
  days: [day('2026-11-18', 7, 10n ** 18n), day('2026-11-20', 0, -3n)],
  lastFinalDay: '2026-11-20',
  today: '2026-11-21',
};

const ask = (
  metric = transactionCount,
  given: Partial<Known> = {},
  wanted: Partial<Wanted> = {},
  asked: Partial<typeof query> | object = {},
) => answer(metric, { ...query, ...asked }, { ...known, ...given }, { mediaType: JSON_TYPE, ...wanted });

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
  const { headers, body } = ask(fees);
  expect(headers).toMatchObject({ 'X-Fees-Currency': 'POL' });
  expect(body).toBe('[{"date":"2026-11-18","fees":"1.000000000000000003"},{"date":"2026-11-20","fees":"0"}]');
  expect(ask(transactionCount).headers).not.toHaveProperty('X-Fees-Currency');
});

test('the same rows are given as CSV', () => {
  const { headers, body } = ask(fees, {}, { mediaType: CSV_TYPE });
  expect(headers).toMatchObject({ 'Content-Type': 'text/csv; charset=utf-8' });
  expect(body).toBe('date,fees\r\n2026-11-18,1.000000000000000003\r\n2026-11-20,0\r\n');
});

test('without final days the answer is an empty array, or just the names of the columns', () => {
  const nothing = { days: [], lastFinalDay: undefined };
  expect(ask(fees, nothing).body).toBe('[]');
  expect(ask(fees, nothing, { mediaType: CSV_TYPE }).body).toBe('date,fees\r\n');
  expect(ask(fees, nothing).headers).not.toHaveProperty('X-Data-Through');
});

describe('X-Days-Missing counts the days without a figure', () => {
  const missing = (asked: object, given: Partial<Known> = {}) =>
    ask(transactionCount, given, {}, asked).headers?.['X-Days-Missing'];

  test('within the range', () => {
    expect(missing({})).toBe('1');
    expect(missing({}, { days: [] })).toBe('3');
  });

  test('up to yesterday', () => {
    expect(missing({ end_date: '2030-01-01' })).toBe('1');
    expect(missing({ start_date: '2026-11-21', end_date: '2030-01-01' }, { days: [] })).toBe('0');
  });

  test("since the chain's first day", () => {
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-30' }, { days: [] })).toBe('1');
    expect(missing({ start_date: '2015-01-01', end_date: '2020-05-29' }, { days: [] })).toBe('0');
  });
});

test('X-Data-Through is the last final day, even where the coverage has not moved yet', () => {
  expect(ask(fees, { lastFinalDay: '2026-11-25' }).headers).toMatchObject({ 'X-Data-Through': '2026-11-25' });
  expect(ask(fees, { lastFinalDay: '2026-11-19' }).headers).toMatchObject({ 'X-Data-Through': '2026-11-20' });
  expect(ask(fees, { lastFinalDay: undefined }).headers).toMatchObject({ 'X-Data-Through': '2026-11-20' });
});

describe('the entity tag', () => {
  const tagOf = (...given: Parameters<typeof ask>) => String(ask(...given).headers?.ETag);

  test('is strong, the same for the same body, and another for another', () => {
    expect(tagOf()).toMatch(/^"[^"]+"$/);
    expect(tagOf()).toBe(tagOf());
    const tags = [tagOf(), tagOf(fees), tagOf(fees, {}, { mediaType: CSV_TYPE }), tagOf(fees, { days: [] })];
    expect(new Set(tags).size).toBe(4);
  });

  test.each([
    ['itself', (tag: string) => tag],
    ['itself among others', (tag: string) => `"a", ${tag} , "b"`],
    ['itself made weak by a proxy', (tag: string) => `W/${tag}`],
    ['anything', () => '*'],
  ])('gets 304 without a body when the client has %s', (_, of) => {
    const { statusCode, headers, body } = ask(fees, {}, { ifNoneMatch: of(tagOf(fees)) });
    expect({ statusCode, body }).toEqual({ statusCode: 304, body: '' });
    expect(headers).toMatchObject({ ETag: tagOf(fees), 'X-Days-Missing': '1', 'Cache-Control': 'private' });
    expect(headers).not.toHaveProperty('Content-Type');
  });

  test('gets 200 when the client has another', () => {
    expect(ask(fees, {}, { ifNoneMatch: tagOf() }).statusCode).toBe(200);
    expect(ask(fees, {}, { ifNoneMatch: '' }).statusCode).toBe(200);
  });
});
