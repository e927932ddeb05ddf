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
  throw new Error('The query was accepted');
}
const errorsOf = (event: QueryEvent) =>
  Object.fromEntries((problemOf(event).errors ?? []).map(({ field, message }) => [field, message]));

test('reads a query from the body or from the query parameters', () => {
  expect(readQuery(inBody(valid))).toEqual(valid);
  expect(readQuery(inUrl({ chain: ['BSC'], start_date: ['2026-11-18'], end_date: ['2026-11-20'] }))).toEqual(
    valid,
  );
});

test('accepts a query that is split over both, with equal values in both', () => {
  expect(
    readQuery(
      inUrl({ chain: ['BSC'], end_date: ['2026-11-20'] }, { start_date: '2026-11-18', chain: 'BSC' }),
    ),
  ).toEqual(valid);
});

test('refuses conflicting values, and reports that field once', () => {
  const conflict = 'has conflicting values; send it once';
  expect(errorsOf(inUrl({ chain: ['BASE'] }, valid))).toEqual({ chain: conflict });
  expect(
    errorsOf(inUrl({ chain: ['BSC', 'BASE'], start_date: ['2026-11-18'], end_date: ['2026-11-20'] })),
  ).toEqual({ chain: conflict });
});

test('ignores other fields', () => {
  expect(readQuery(inBody({ ...valid, page: 2 }))).toEqual(valid);
});

test('accepts a range of one day', () => {
  expect(readQuery(inBody({ ...valid, end_date: '2026-11-18' })).end_date).toBe('2026-11-18');
});

test.each([[null], [undefined], [''], [{}]])('reports every field as missing for the body %p', (body) => {
  expect(problemOf(inBody(body))).toMatchObject({
    status: 400,
    detail: 'Invalid fields: chain, start_date, end_date. See errors.',
  });
  expect(errorsOf(inBody(body))).toEqual({
    chain: `is required: one of ${chainNames.join(', ')}`,
    start_date: 'is required, as YYYY-MM-DD',
    end_date: 'is required, as YYYY-MM-DD',
  });
});

test.each([['text'], [5], [true], [[valid]]])('refuses the body %p, which is no JSON object', (body) => {
  expect(problemOf(inBody(body))).toMatchObject({
    status: 400,
    detail: expect.stringContaining('must be a JSON object'),
  });
});

test.each([['SOLANA'], ['bsc'], [''], [null], [1], [['BSC']]])('refuses the chain %p', (chain) => {
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
])('refuses the date %p', (date) => {
  const message = 'must be a valid date, as YYYY-MM-DD';
  expect(errorsOf(inBody({ ...valid, start_date: date, end_date: date }))).toEqual({
    start_date: message,
    end_date: message,
  });
});

test('accepts a leap day', () => {
  expect(readQuery(inBody({ ...valid, start_date: '2024-02-29' })).start_date).toBe('2024-02-29');
});

test('refuses a range that ends before it starts, for its end_date', () => {
  expect(errorsOf(inBody({ ...valid, end_date: '2026-11-17' }))).toEqual({
    end_date: 'must not be before start_date',
  });
});

test('reports every invalid field at once, each for its own cause', () => {
  const reversed = { start_date: '2026-11-20', end_date: '2026-11-18' };
  expect(Object.keys(errorsOf(inBody({ chain: 'X', ...reversed })))).toEqual(['chain', 'end_date']);
  expect(problemOf(inBody({ chain: 'BSC', start_date: '2026-1-1', end_date: '2026-02-30' })).detail).toBe(
    'Invalid fields: start_date, end_date. See errors.',
  );
});
