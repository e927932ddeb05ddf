import { chainNames } from '#core/chains/chains.ts';
import { ProblemError } from '#lambda/api/problem.ts';
import { type QueryEvent, readChainsQuery, readQuery, readTodayQuery } from '#lambda/api/query.ts';
import { daysQuerySchema } from '#lambda/api/series/days.ts';
import { feesQuerySchema } from '#lambda/api/series/fees.ts';

const valid = { chain: 'BSC', start_date: '2026-11-18', end_date: '2026-11-20' };
const { chain: _, ...range } = valid;
const decoded = { ...range, chains: ['BSC'], interval: 'day', isRelative: false };
const NO_DAY = 'must be a valid day, as YYYY-MM-DD, yesterday or 30-days-ago';
const read = (event: QueryEvent) => readQuery(event, '2026-11-21');
const inBody = (body: unknown): QueryEvent => ({ body, multiValueQueryStringParameters: null });
const inUrl = (parameters: Record<string, string[]>, body: unknown = null): QueryEvent => ({
  body,
  multiValueQueryStringParameters: parameters,
});

function problemOf(event: QueryEvent, reader: (event: QueryEvent) => unknown = read) {
  try {
    reader(event);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('The query was accepted');
}
const errorsOf = (event: QueryEvent) =>
  Object.fromEntries((problemOf(event).errors ?? []).map(({ field, message }) => [field, message]));

test('refuses conflicting values, and reports that field once', () => {
  const conflict = 'has conflicting values; send it once';
  expect(errorsOf(inUrl({ chain: ['BASE'] }, valid))).toEqual({ chain: conflict });
  expect(
    errorsOf(inUrl({ chain: ['BSC'], start_date: ['2026-11-18', '2026-11-19'], end_date: ['2026-11-20'] })),
  ).toEqual({ start_date: conflict });
});

test('accepts values that differ in case alone', () => {
  const parameters = {
    chain: ['BSC', 'bsc'],
    start_date: ['2026-11-18'],
    end_date: ['yesterday', 'YESTERDAY'],
    interval: ['week', 'Week'],
  };
  expect(read(inUrl(parameters, { chain: 'Bsc' }))).toEqual({
    ...decoded,
    end_date: '2026-11-21',
    interval: 'week',
    isRelative: true,
  });
});

test.each([
  ['chain', 'ETH', 'ETHEREUM'],
  ['chain', 'eth-mainnet', 'ETHEREUM'],
  ['chain', '1', 'ETHEREUM'],
  ['chain', 'BNB', 'BSC'],
  ['chain', 'binance', 'BSC'],
  ['chain', 'BNB Smart Chain', 'BSC'],
  ['chain', 'MATIC', 'POLYGON'],
  ['chain', 'POL', 'POLYGON'],
  ['chain', 'polygon-pos', 'POLYGON'],
  ['chain', 'op', 'OPTIMISM'],
  ['chain', 'OP Mainnet', 'OPTIMISM'],
  ['chain', 'arb', 'ARBITRUM'],
  ['chain', 'arbitrum-one', 'ARBITRUM'],
  ['chain', 'base-mainnet', 'BASE'],
  ['chain', 'worldchain', 'WORLD_CHAIN'],
  ['interval', 'hourly', 'hour'],
  ['interval', '1h', 'hour'],
  ['interval', 'Daily', 'day'],
  ['interval', '1d', 'day'],
  ['interval', 'weekly', 'week'],
  ['interval', '1W', 'week'],
  ['interval', 'monthly', 'month'],
  ['interval', '1m', 'month'],
  ['interval', 'quarterly', 'quarter'],
  ['interval', 'yearly', 'year'],
])('refuses the %s %s and suggests %s', (field, value, meant) => {
  expect(errorsOf(inBody({ ...valid, [field]: value }))[field]).toMatch(
    new RegExp(`; did you mean ${meant}\\?$`),
  );
});

test('suggests no chain that the service does not read', () => {
  const read = () =>
    readQuery(inBody({ ...valid, chain: 'ETH' }), '2026-11-21', undefined, ['BASE', 'POLYGON']);
  expect(read).toThrow('Invalid field: chain must be one of BASE, POLYGON.');
});

test.each([
  ['intervall', '; did you mean interval?'],
  ['startdate', '; did you mean start_date?'],
  ['format', ''],
  ['__proto__', ''],
])('refuses the unknown field %s, in the query and in the body', (field, hint) => {
  const message = `is unknown; the fields are chain, start_date, end_date, interval, evidence${hint}`;
  const parameters = { chain: ['BSC'], start_date: ['2026-11-18'], end_date: ['2026-11-20'] };
  const unknown = Object.fromEntries([[field, ['week']]]);
  expect(problemOf(inUrl({ ...parameters, ...unknown })).errors).toEqual([{ field, message }]);
  const body: unknown = JSON.parse(
    `{"chain":"BSC","start_date":"2026-11-18","end_date":"2026-11-20","${field}":1}`,
  );
  expect(problemOf(inBody(body)).errors).toEqual([{ field, message }]);
});

test('says in detail what is wrong when a single field is', () => {
  expect(problemOf(inBody({ ...valid, end_date: '2026-11-17' })).detail).toBe(
    'Invalid field: end_date must not be before start_date.',
  );
  expect(problemOf(inBody({ ...valid, chain: 'ETHERIUM' })).detail).toMatch(/; did you mean ETHEREUM\?$/);
});

test.each([[null], [undefined], [''], [{}]])('reports every field as missing for the body %p', (body) => {
  expect(problemOf(inBody(body))).toMatchObject({
    status: 400,
    detail: 'Invalid fields: chain, start_date, end_date. See errors.',
  });
  expect(errorsOf(inBody(body))).toEqual({
    chain: `is required: one of ${chainNames.join(', ')}`,
    start_date: 'is required, as YYYY-MM-DD, yesterday or 30-days-ago',
    end_date: 'is required, as YYYY-MM-DD, yesterday or 30-days-ago',
  });
});

test.each([['text'], [5], [true], [[valid]]])('refuses the body %p, which is not a JSON object', (body) => {
  expect(problemOf(inBody(body))).toMatchObject({
    status: 400,
    detail: expect.stringContaining('must be a JSON object'),
  });
});

describe('several chains', () => {
  const chainsOf = (chain: unknown) => read(inBody({ ...valid, chain })).chains;

  test('are a text with commas or a list, in any case and in their order', () => {
    expect(chainsOf('base,Ethereum')).toEqual(['BASE', 'ETHEREUM']);
    expect(chainsOf('base, bsc')).toEqual(['BASE', 'BSC']);
    expect(chainsOf(['polygon', 'BSC'])).toEqual(['POLYGON', 'BSC']);
    expect(chainsOf([...chainNames])).toEqual(chainNames);
    const inQuery = { chain: ['base,bsc'], start_date: ['yesterday'], end_date: ['yesterday'] };
    expect(read(inUrl(inQuery)).chains).toEqual(['BASE', 'BSC']);
    for (const chain of [
      ['base', 'BSC'],
      ['base', 'BSC', 'Base'],
    ])
      expect(read(inUrl({ ...inQuery, chain })).chains).toEqual(['BASE', 'BSC']);
  });

  test('may be a list of one', () => {
    expect(chainsOf(['bsc'])).toEqual(chainsOf('bsc'));
  });

  test.each([
    ['BSC,SOLANA', /^must be names of ETHEREUM, .*, separated by commas; SOLANA is not one$/],
    ['BSC,ETH', /; ETH is not one; did you mean ETHEREUM\?$/],
    ['BSC,', /; an empty name is not one$/],
    ['BSC,BASE,bsc', /^must name each chain once; BSC is repeated$/],
    ['BSC,BASE,base', /^must name each chain once; BASE is repeated$/],
    [['BSC', 1], /; an empty name is not one$/],
    [[], /^must be one of ETHEREUM, /],
  ])('refuses %j', (chain, message) => {
    expect(errorsOf(inBody({ ...valid, chain }))).toEqual({ chain: expect.stringMatching(message) });
  });

  test('of today are read alone', () => {
    expect(readTodayQuery(inBody({ chain: ['base', 'bsc'] }), chainNames)).toEqual(['BASE', 'BSC']);
    const refused = problemOf(inBody(valid), (event) => readTodayQuery(event, chainNames));
    expect(refused.errors?.map(({ field, message }) => `${field} ${message}`)).toEqual([
      'start_date is unknown; the only field is chain',
      'end_date is unknown; the only field is chain',
    ]);
  });
});

test('accepts dollars among the fields of fees, and no other fields', () => {
  const readFees = (fields: string) => readQuery(inBody({ ...valid, fields }), '2026-11-21', feesQuerySchema);
  expect(readFees('fees,fees_usd').fields).toBe('fees,fees_usd');
  expect(() => readFees('fees,gas_used')).toThrow(/gas_used is not one of date, fees, fees_usd\./);
});

test.each([['SOLANA'], ['BSC '], [''], [null], [1]])('refuses the chain %p', (chain) => {
  expect(errorsOf(inBody({ ...valid, chain }))).toEqual({
    chain: expect.stringMatching(/^must be one of ETHEREUM,/),
  });
});

test.each([
  ['2026-02-30', 'must be a day of the calendar; 2026-02-30 does not exist'],
  ['2025-02-29', 'must be a day of the calendar; 2025-02-29 does not exist'],
  ['2026-13-01', 'must be a day of the calendar; 2026-13-01 does not exist'],
  ['2026-1-1'],
  ['20261118'],
  ['2026-11-18T00:00:00Z'],
  [' 2026-11-18'],
  [''],
  ['-1-days-ago'],
  ['1.5-days-ago'],
  ['days-ago'],
  ['100000-days-ago'],
])('refuses the date %p', (date, message: string = NO_DAY) => {
  const given = { ...valid, start_date: date, end_date: date };
  expect(errorsOf(inBody(given))).toEqual({ start_date: message, end_date: message });
});

test.each(['today', 'Today', '0-days-ago', '000-day-ago'])(
  'refuses %p because the day is not over',
  (date) => {
    expect(errorsOf(inBody({ ...valid, end_date: date }))).toEqual({
      end_date: 'must not be today, because the day is not over (UTC); use yesterday, or /today',
    });
  },
);

test.each(Object.keys(daysQuerySchema.shape))('says in our words that %s has the wrong type', (field) => {
  for (const value of [5, true, null, {}, ['a']]) {
    const read = () => readQuery(inBody({ ...valid, [field]: value }), '2026-11-21', daysQuerySchema);
    expect(read).toThrow(/^Invalid field: \w+ must be (?!.*(Invalid|expected))/);
  }
});

test('reports every invalid field at once, each for its own cause', () => {
  const reversed = { start_date: '2026-11-20', end_date: '2026-11-18' };
  expect(Object.keys(errorsOf(inBody({ chain: 'X', ...reversed })))).toEqual(['chain', 'end_date']);
  expect(problemOf(inBody({ chain: 'BSC', start_date: '2026-1-1', end_date: '2026-02-30' })).detail).toBe(
    'Invalid fields: start_date, end_date. See errors.',
  );
});

test.each([
  ['yesterday', '2026-11-21'],
  ['Yesterday', '2026-11-21'],
  ['1-day-ago', '2026-11-21'],
  ['3-Days-Ago', '2026-11-19'],
  ['30-days-ago', '2026-10-23'],
])('resolves %s', (day, resolved) => {
  expect(read(inBody({ ...valid, end_date: day, start_date: '2026-01-01' }))).toMatchObject({
    start_date: '2026-01-01',
    end_date: resolved,
    isRelative: true,
  });
});

test('accepts hours of 92 days, and refuses those of more with the limit', () => {
  const hours = { ...valid, interval: 'hour', start_date: '2026-08-21' };
  expect(read(inBody(hours))).toMatchObject({ interval: 'hour' });
  expect(errorsOf(inBody({ ...hours, start_date: '2026-08-20' }))).toEqual({
    end_date: expect.stringMatching(/91 days after .*; ask for the other days in further requests$/),
  });
});

describe('the fields of /days', () => {
  const inDays = (fields: string) => readQuery(inBody({ ...valid, fields }), '2026-11-21', daysQuerySchema);

  test('are read from a list, and are unknown to other endpoints', () => {
    expect(inDays('fees,evidence')).toEqual({ ...decoded, fields: 'fees,evidence' });
    expect(errorsOf(inBody({ ...valid, fields: 'fees' })).fields).toMatch(
      /^is unknown; the fields are chain/,
    );
  });

  test('count a name once, however often a request repeats it', () => {
    const many = Array.from({ length: 3240 }, (_, index) => (index % 2 === 0 ? 'fees' : 'date'));
    expect(inDays(many.join(','))).toMatchObject({ fields: 'fees,date' });
  });

  test('refuse a misspelled name with the one that was meant, without the list', () => {
    expect(() => inDays('feees')).toThrow(/separated by commas; feees is not one; did you mean fees\?$/);
  });

  test.each(['fees,', 'fees,something', ''])('refuse %p, and name those that there are', (fields) => {
    expect(() => inDays(fields)).toThrow(ProblemError);
    expect(() => inDays(fields)).toThrow(
      /fields must be names of fields, separated by commas; .* date, day_count/,
    );
  });
});

test('the query for the chains has the rules of the others: either form, and each field reported once', () => {
  expect(readChainsQuery(inBody({ evidence: 'Proven' }))).toEqual({ evidence: 'proven' });
  expect(readChainsQuery(inUrl({}))).toEqual({});
  const { errors } = problemOf(inUrl({ evidence: ['sure', 'archived'] }), readChainsQuery);
  expect(errors).toEqual([{ field: 'evidence', message: 'has conflicting values; send it once' }]);
  expect(problemOf(inUrl({ evidence: ['archived'], chain: ['BSC'] }), readChainsQuery).errors).toEqual([
    { field: 'chain', message: 'is unknown; the only field is evidence' },
    { field: 'evidence', message: 'must be one of proven, checked; leave it out to include archived days' },
  ]);
});
