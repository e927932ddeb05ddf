import { keyUsageOf, showUsage, usageRange } from '#cli/keys/usage.ts';
import { keyOf } from '#test/support/generators/rows/keys.ts';

const TODAY = '2026-11-21';

test.each([
  ['the last 30 days by default', {}, '2026-10-23', TODAY],
  ['30 days up to --end-date', { endDate: '2026-11-10' }, '2026-10-12', '2026-11-10'],
  ['the days from --start-date to today', { startDate: '2026-08-24' }, '2026-08-24', TODAY],
  ['no future days', { startDate: TODAY, endDate: '2026-12-31' }, TODAY, TODAY],
])('reports %s', (_, options, first, last) => {
  expect(usageRange(options, TODAY)).toEqual({ first, last });
});

test.each([
  [{ startDate: '2026-08-23' }, 'the range has 91 days. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22' }, '2026-11-22 is in the future. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22', endDate: '2026-11-30' }, '2026-11-22 is in the future.'],
  [{ startDate: '2026-11-10', endDate: '2026-11-09' }, '--start-date 2026-11-10'],
])('refuses %p', (options, message) => {
  expect(() => usageRange(options, TODAY)).toThrow(message);
});

const range = { first: '2026-11-19', last: '2026-11-21' };

const days = (requests: readonly number[]) =>
  requests.map((used, index) => ({ date: `2026-11-${19 + index}`, requests: used, remaining: 100 - index }));

test('sums the requests of a key and omits days without requests', () => {
  const old = keyOf('old');
  expect(keyUsageOf(old, days([3, 0, 4]))).toMatchObject({
    requests: 7,
    last_used: '2026-11-21',
    remaining: 98,
    days: [
      { date: '2026-11-19', requests: 3 },
      { date: '2026-11-21', requests: 4 },
    ],
  });
  expect(keyUsageOf(old, days([1, 0, 0]))).toMatchObject({ last_used: '2026-11-19', remaining: 98 });
  expect(keyUsageOf(old, [])).toMatchObject({ requests: 0, days: [] });
});

test('shows usage by key and by day', () => {
  const builtIn = { id: 'API_KEY', name: 'API_KEY' };
  const usages = [
    keyUsageOf(keyOf('old'), days([3, 0, 4])),
    keyUsageOf(builtIn, [{ date: '2026-11-20', requests: 9 }]),
  ];
  expect(showUsage(usages, range)).toBe(
    [
      'name     id       tier  requests  last used   quota left',
      'alice    old      free         7  2026-11-21          98',
      'API_KEY  API_KEY               9  2026-11-20',
      '',
      'date        name     id       requests  quota left',
      '2026-11-19  alice    old             3         100',
      '2026-11-20  API_KEY  API_KEY         9',
      '2026-11-21  alice    old             4          98',
    ].join('\n'),
  );
});

test('states that no key was used instead of an empty table of days', () => {
  expect(showUsage([keyUsageOf(keyOf('old'), days([0, 0, 0]))], range)).toMatch(
    /not used +98\n\nNo key was used from 2026-11-19 to 2026-11-21\.$/,
  );
});
