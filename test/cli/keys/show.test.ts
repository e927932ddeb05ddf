import type { Key } from '../../../cli/keys/keys.ts';
import { keyUsageOf, listedKeys, overlaps, showKeys, showUsage } from '../../../cli/keys/show.ts';

const keyOf = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  name: 'alice',
  tier: 'free',
  enabled: true,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
});
const KEYS = [
  keyOf('new', { created_at: '2026-11-21T08:30:00.000Z', replaces: 'old' }),
  keyOf('odd', { name: 'zoe', tier: undefined, enabled: false }),
  keyOf('old'),
];
const range = { first: '2026-11-19', last: '2026-11-21' };

test('keys are listed by name, the oldest of a name first, with what replaced them', () => {
  expect(showKeys(listedKeys(KEYS))).toBe(
    [
      'name   id   tier  enabled  issued (UTC)      replaced by',
      'alice  old  free  yes      2026-11-20 10:00  new',
      'alice  new  free  yes      2026-11-21 08:30',
      'zoe    odd  none  no       2026-11-20 10:00',
    ].join('\n'),
  );
  expect(listedKeys(KEYS)[0]).toEqual({
    ...keyOf('old'),
    replaced_by: 'new',
    replaced_at: '2026-11-21T08:30:00.000Z',
  });
});

const days = (requests: readonly number[]) =>
  requests.map((used, index) => ({ date: `2026-11-${19 + index}`, requests: used, remaining: 100 - index }));

test('usage is summed for each key, and days without requests are left out', () => {
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

test('usage is shown by key, and by day', () => {
  const given = { id: 'API_KEY', name: 'API_KEY' };
  const usages = [
    keyUsageOf(keyOf('old'), days([3, 0, 4])),
    keyUsageOf(given, [{ date: '2026-11-20', requests: 9 }]),
  ];
  expect(showUsage(usages, range)).toBe(
    [
      'name     id       tier  requests  last used   left of the month',
      'alice    old      free         7  2026-11-21                 98',
      'API_KEY  API_KEY               9  2026-11-20',
      '',
      'day         name     id       requests  left of the month',
      '2026-11-19  alice    old             3                100',
      '2026-11-20  API_KEY  API_KEY         9',
      '2026-11-21  alice    old             4                 98',
    ].join('\n'),
  );
});

test('where no key was used, it says so in place of the days', () => {
  expect(showUsage([keyUsageOf(keyOf('old'), days([0, 0, 0]))], range)).toMatch(
    /not used +98\n\nNo key was used from 2026-11-19 to 2026-11-21\.$/,
  );
});

const SETTLED = '2026-11-22T08:30:00.000Z';
const told = (
  requests: readonly number[],
  { keys = KEYS, first = '2026-11-20', last = '2026-11-22', now = SETTLED } = {},
) =>
  overlaps(
    { flags: ' --stage prod' },
    listedKeys(keys).map((key) => keyUsageOf(key, key.id === 'old' ? days(requests) : [])),
    { range: { first, last }, now: Date.parse(now) },
  );
const END_IT = 'end it with npx chain-insights keys disable --id old --stage prod';

test('whether an old key can be ended is told while it is accepted, and so is the one in its place', () => {
  expect(told([3, 0, 0])).toEqual([
    `The old key old of alice, replaced by new, was last used on 2026-11-19: once its client sends the new one, ${END_IT}`,
  ]);
  expect(told([0, 0, 0])).toEqual([
    `The old key old of alice, replaced by new, was not used from 2026-11-20 to 2026-11-22: ${END_IT}`,
  ]);
  const ended = [keyOf('old', { enabled: false }), keyOf('new', { replaces: 'old' })];
  expect(told([], { keys: ended })).toEqual([]);
  const withdrawn = [keyOf('old'), keyOf('new', { replaces: 'old', enabled: false })];
  expect(told([], { keys: withdrawn })).toEqual([]);
});

test.each([
  ['days long past', [0, 0, 0], { last: '2026-11-21' }, 'days after 2026-11-21 were not asked for'],
  ['days long past on which it was used', [3], { last: '2026-11-21' }, 'days after 2026-11-21 were'],
  ['an hour or two', [0], { first: '2026-11-22' }, 'today alone was asked for'],
  ['a rotation just now', [0, 0, 0], { now: '2026-11-22T08:29:59.999Z' }, 'it was replaced less than a day'],
])('%s do not tell whether an old key can be ended', (_, requests, given, why) => {
  const [line] = told(requests, given);
  expect(line).toContain(`, which does not tell whether it can be ended: ${why}`);
  expect(line).toMatch(/\. To look again: npx chain-insights keys usage --id old --stage prod$/);
  expect(line).not.toContain('disable');
});
