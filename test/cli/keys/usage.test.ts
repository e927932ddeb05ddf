import type { Key } from '../../../cli/keys/keys.ts';
import { listedKeys } from '../../../cli/keys/manage.ts';
import { keyUsageOf, rangeOf, rotationAdvice, showUsage } from '../../../cli/keys/usage.ts';

const TODAY = '2026-11-21';

test.each([
  ['the last 30 days by default', {}, '2026-10-23', TODAY],
  ['30 days up to --end-date', { endDate: '2026-11-10' }, '2026-10-12', '2026-11-10'],
  ['the days from --start-date to today', { startDate: '2026-08-24' }, '2026-08-24', TODAY],
  ['no future days', { startDate: TODAY, endDate: '2026-12-31' }, TODAY, TODAY],
])('reports %s', (_, options, first, last) => {
  expect(rangeOf(options, TODAY)).toEqual({ first, last });
});

test.each([
  [{ startDate: '2026-08-23' }, 'the range has 91 days. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22' }, '2026-11-22 is in the future. Choose 1 to 90 days up to today.'],
  [{ startDate: '2026-11-22', endDate: '2026-11-30' }, '2026-11-22 is in the future.'],
  [{ startDate: '2026-11-10', endDate: '2026-11-09' }, '--start-date 2026-11-10'],
])('refuses %p', (options, message) => {
  expect(() => rangeOf(options, TODAY)).toThrow(message);
});

const keyOf = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  name: 'alice',
  tier: 'free',
  enabled: true,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
});
const KEYS = [keyOf('new', { created_at: '2026-11-21T08:30:00.000Z', replaces: 'old' }), keyOf('old')];
const range = { first: '2026-11-19', last: '2026-11-21' };

const days = (requests: readonly number[]) =>
  requests.map((used, index) => ({ date: `2026-11-${19 + index}`, requests: used, remaining: 100 - index }));

test('sums the requests of a key and omits days without requests', () => {
  const [old = keyOf('old')] = listedKeys(KEYS);
  expect(keyUsageOf(old, days([3, 0, 4]))).toMatchObject({
    ...{ replaced_by: 'new', replaced_at: '2026-11-21T08:30:00.000Z', requests: 7 },
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

const adviceFor = (
  requests: readonly number[],
  { keys = KEYS, first = '2026-11-20', last = '2026-11-22', now = '2026-11-22T08:30:00.000Z' } = {},
) =>
  rotationAdvice(
    { flags: ' --stage prod' },
    listedKeys(keys).map((key) => keyUsageOf(key, key.id === 'old' ? days(requests) : [])),
    { range: { first, last }, now: Date.parse(now) },
  );
const DISABLE = 'disable it:\n  npx chain-insights keys disable --id old --stage prod';

test('advises to disable a replaced key that is still enabled', () => {
  expect(adviceFor([3, 0, 0])).toEqual([
    `Key old of alice, replaced by new, was last used on 2026-11-19.\nWhen its client uses the new key, ${DISABLE}`,
  ]);
  expect(adviceFor([0, 0, 0])).toEqual([
    `Key old of alice, replaced by new, was not used from 2026-11-20 to 2026-11-22.\nTo ${DISABLE}`,
  ]);
});

test('gives no advice when the old key or its replacement is disabled', () => {
  const oldDisabled = [keyOf('old', { enabled: false }), keyOf('new', { replaces: 'old' })];
  expect(adviceFor([], { keys: oldDisabled })).toEqual([]);
  const newDisabled = [keyOf('old'), keyOf('new', { replaces: 'old', enabled: false })];
  expect(adviceFor([], { keys: newDisabled })).toEqual([]);
});

test.each([
  ['past days', [0, 0, 0], { last: '2026-11-21' }, 'this report ends on 2026-11-21, before today'],
  ['past days with requests', [3], { last: '2026-11-21' }, 'this report ends on 2026-11-21'],
  ['today alone', [0], { first: '2026-11-22' }, 'this report covers only today'],
  ['a rotation today', [0, 0, 0], { now: '2026-11-22T08:29:59.999Z' }, 'it was replaced less than a day'],
])('does not advise to disable a key from a report of %s', (_, requests, given, why) => {
  const [line] = adviceFor(requests, given);
  expect(line).toContain(`.\nIt may still be in use: ${why}`);
  expect(line).toMatch(/\. To check again:\n {2}npx chain-insights keys usage --id old --stage prod$/);
  expect(line).not.toContain('disable');
});
