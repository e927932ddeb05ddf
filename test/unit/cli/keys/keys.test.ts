import { exitCodes } from '#cli/exit-codes.ts';
import { checkNameIsFree, chooseKey, chooseTier } from '#cli/keys/keys.ts';
import { keyOf } from '#test/support/generators/rows/keys.ts';

const service = { title: 'ChainInsights-prod', flags: ' --stage prod', builtIn: [] };

const limits = { ratePerSecond: 5, burst: 10, requestsPerMonth: 10_000 };
const free = { name: 'free', limits };
const standard = { name: 'standard', limits: { ...limits, requestsPerMonth: 1_000_000 } };

test('chooses the only tier when none is named', () => {
  expect(chooseTier({ title: 'It', tiers: [free] }, undefined)).toBe(free);
  expect(chooseTier({ title: 'It', tiers: [free, standard] }, 'standard')).toBe(standard);
});

test.each([
  ['gold', 'There is no tier gold.'],
  [undefined, 'Choose a tier with --tier.'],
])('refuses the tier %p as wrong usage and lists the tiers with their limits', (name, wrong) => {
  const message = `${wrong} ChainInsights-prod has:
  free         5 requests/s, bursts of 10, 10,000 requests/month
  standard     5 requests/s, bursts of 10, 1,000,000 requests/month`;
  expect(() => chooseTier({ title: service.title, tiers: [free, standard] }, name)).toThrow(
    expect.objectContaining({ message, exitCode: exitCodes.usage }),
  );
});

test('refuses the name of an enabled key and accepts that of a disabled one', () => {
  const keys = [keyOf('a', { enabled: false }), keyOf('b', { name: 'bob' })];
  expect(() => checkNameIsFree(service, keys, 'alice')).not.toThrow();
  expect(() => checkNameIsFree(service, keys, 'bob')).toThrow(
    'ChainInsights-prod already has a key named bob: b. For a new value, rotate it: npx --no chain-insights keys rotate --name bob --stage prod.',
  );
});

test('refuses the name of a built-in key', () => {
  const builtIn = [{ id: 'API_KEY', name: 'API_KEY' }];
  expect(() => checkNameIsFree({ ...service, builtIn }, [], 'API_KEY')).toThrow(
    'The name API_KEY is reserved for a built-in key. Choose another name.',
  );
  expect(() => checkNameIsFree({ ...service, builtIn }, [], 'API_KEY2')).not.toThrow();
  expect(() => chooseKey({ ...service, builtIn }, [], { name: 'API_KEY' }, true)).toThrow(
    'has this key from the variable API_KEY. To replace it, restart',
  );
});

test('selects the one key of a name that passes the filter, and a key by ID without the filter', () => {
  const keys = [keyOf('a', { enabled: false }), keyOf('b'), keyOf('c', { name: 'bob' })];
  expect(chooseKey(service, keys, { name: 'alice' }, true).id).toBe('b');
  expect(chooseKey(service, keys, { id: 'a' }, true).id).toBe('a');
});

/** Wrong usage has its own exit code; a missing key is a failure. */
const { usage, failed } = exitCodes;

test.each([
  ['neither', {}, usage, 'Name the key with either --name or --id.'],
  ['both', { name: 'alice', id: 'a' }, usage, 'Name the key with either --name or --id.'],
  [
    'an unknown name',
    { name: 'eve' },
    failed,
    'ChainInsights-prod has no key named eve. To list its keys: npx --no chain-insights keys list --stage prod',
  ],
  ['an unknown ID', { id: 'x' }, failed, 'ChainInsights-prod has no key with the ID x.'],
  [
    'a name of two enabled keys',
    { name: 'alice' },
    usage,
    `ChainInsights-prod has 2 enabled keys named alice. Choose one by its ID:
  --id a   issued 2026-11-20 10:00 UTC, enabled
  --id b   issued 2026-11-20 10:00 UTC, enabled`,
  ],
  [
    'a name of a disabled key',
    { name: 'bob' },
    failed,
    'ChainInsights-prod has no enabled key named bob, only:\n  --id c   issued 2026-11-20 10:00 UTC, disabled',
  ],
])('refuses %s', (_, named, exitCode, message) => {
  const keys = [keyOf('a'), keyOf('b'), keyOf('c', { name: 'bob', enabled: false })];
  expect(() => chooseKey(service, keys, named, true)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message), exitCode }),
  );
});
