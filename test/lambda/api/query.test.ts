import { ProblemError } from '../../../lambda/api/problem.ts';
import { type QueryEvent, readQuery } from '../../../lambda/api/query.ts';
import { chainNames } from '../../../lambda/chains/chains.ts';

const valid = { chain: 'BSC', start_date: '2026-11-18', end_date: '2026-11-20' };
const inBody = (body: unknown): QueryEvent => ({ body, multiValueQueryStringParameters: null });
const inUrl = (parameters: Record<string, string[]>, body: unknown = null): QueryEvent => ({
  body,
  multiValueQueryStringParameters: parameters,
});

function problemOf(event: QueryEvent) {
  try {
    readQuery(event);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('the query was accepted');
}
const errorsOf = (event: QueryEvent) =>
  Object.fromEntries((problemOf(event).errors ?? []).map(({ field, message }) => [field, message]));

test('a query is read from the body or from the query parameters', () => {
  expect(readQuery(inBody(valid))).toEqual(valid);
  expect(readQuery(inUrl({ chain: ['BSC'], start_date: ['2026-11-18'], end_date: ['2026-11-20'] }))).toEqual(
    valid,
  );
});

test('a query may be split over both, and say the same thing in both', () => {
  expect(
    readQuery(
      inUrl({ chain: ['BSC'], end_date: ['2026-11-20'] }, { start_date: '2026-11-18', chain: 'BSC' }),
    ),
  ).toEqual(valid);
});

test('a value that contradicts itself is refused, alone', () => {
  const twice = 'is given more than once, with different values';
  expect(errorsOf(inUrl({ chain: ['BASE'] }, valid))).toEqual({ chain: twice });
  expect(
    errorsOf(inUrl({ chain: ['BSC', 'BASE'], start_date: ['2026-11-18'], end_date: ['2026-11-20'] })),
  ).toEqual({ chain: twice });
});

test('what the query does not need is ignored', () => {
  expect(readQuery(inBody({ ...valid, page: 2 }))).toEqual(valid);
});

test('a range of one day is a range', () => {
  expect(readQuery(inBody({ ...valid, end_date: '2026-11-18' })).end_date).toBe('2026-11-18');
});

test.each([[null], [undefined], [''], [{}]])(
  'with the body %p every field is missing, and all are named at once',
  (body) => {
    expect(problemOf(inBody(body))).toMatchObject({
      status: 400,
      detail: 'Not valid: chain, start_date, end_date. See errors.',
    });
    expect(errorsOf(inBody(body))).toEqual({
      chain: `is required: one of ${chainNames.join(', ')}`,
      start_date: 'is required: a day as YYYY-MM-DD',
      end_date: 'is required: a day as YYYY-MM-DD',
    });
  },
);

test.each([['text'], [5], [true], [[valid]]])('the body %p is no JSON object', (body) => {
  expect(problemOf(inBody(body))).toMatchObject({
    status: 400,
    detail: expect.stringContaining('must be a JSON object'),
  });
});

test.each([['SOLANA'], ['bsc'], [''], [null], [1], [['BSC']]])('the chain %p is not supported', (chain) => {
  expect(errorsOf(inBody({ ...valid, chain }))).toEqual({
    chain: expect.stringMatching(/^must be one of ETHEREUM,/),
  });
});

test.each([
  ['2026-02-30'],
  ['2025-02-29'],
  ['2026-13-01'],
  ['2026-1-1'],
  ['20261118'],
  ['2026-11-18T00:00:00Z'],
  [' 2026-11-18'],
  [''],
  [null],
  [1_790_000_000],
])('the date %p is no day of the calendar', (date) => {
  const message = 'must be a day of the calendar as YYYY-MM-DD';
  expect(errorsOf(inBody({ ...valid, start_date: date, end_date: date }))).toEqual({
    start_date: message,
    end_date: message,
  });
});

test('a leap day is a day', () => {
  expect(readQuery(inBody({ ...valid, start_date: '2024-02-29' })).start_date).toBe('2024-02-29');
});

test('a range that ends before it starts is refused at its end', () => {
  expect(errorsOf(inBody({ ...valid, end_date: '2026-11-17' }))).toEqual({
    end_date: 'must not be before start_date',
  });
});

test('all that is wrong is named at once, each field for its own fault', () => {
  const reversed = { start_date: '2026-11-20', end_date: '2026-11-18' };
  expect(Object.keys(errorsOf(inBody({ chain: 'X', ...reversed })))).toEqual(['chain', 'end_date']);
  expect(problemOf(inBody({ chain: 'BSC', start_date: '2026-1-1', end_date: '2026-02-30' })).detail).toBe(
    'Not valid: start_date, end_date. See errors.',
  );
});
