import fc from 'fast-check';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { checkNameIsFree, chooseKey, chooseTier, replacementOf } from '../../../cli/keys/choose.ts';
import type { Key } from '../../../cli/keys/keys.ts';

const service = { title: 'ChainInsights-prod', flags: ' --stage prod', given: [] };
const enabled = { fits: (key: Key) => key.enabled, kind: 'enabled' };

const keyOf = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  name: 'alice',
  tier: 'free',
  enabled: true,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
});

const limits = { ratePerSecond: 5, burst: 10, requestsPerMonth: 10_000 };
const free = { name: 'free', limits };
const standard = { name: 'standard', limits: { ...limits, requestsPerMonth: 1_000_000 } };

test('the only tier need not be named', () => {
  expect(chooseTier({ title: 'It', tiers: [free] }, undefined)).toBe(free);
  expect(chooseTier({ title: 'It', tiers: [free, standard] }, 'standard')).toBe(standard);
});

test.each([
  ['gold', 'There is no tier gold.', exitCodes.failed],
  [undefined, 'Say with --tier which tier is meant.', exitCodes.usage],
])('the tier %p is refused with a list of those there are and their limits', (name, wrong, exitCode) => {
  const message = `${wrong} ChainInsights-prod has:
  free         5 requests a second, bursts of 10, 10,000 a month
  standard     5 requests a second, bursts of 10, 1,000,000 a month`;
  expect(() => chooseTier({ title: service.title, tiers: [free, standard] }, name)).toThrow(
    expect.objectContaining({ message, exitCode }),
  );
});

test('a name is free unless a key that is accepted has it', () => {
  const keys = [keyOf('a', { enabled: false }), keyOf('b', { name: 'bob' })];
  expect(() => checkNameIsFree(service, keys, 'alice')).not.toThrow();
  expect(() => checkNameIsFree(service, keys, 'bob')).toThrow(
    'ChainInsights-prod has a key named bob already, b. For a new value, rotate it (npx chain-insights keys rotate --name bob --stage prod)',
  );
});

test('a name is not free that a key has which is accepted without having been issued', () => {
  const given = [{ id: 'API_KEY', name: 'API_KEY' }];
  expect(() => checkNameIsFree({ ...service, given }, [], 'API_KEY')).toThrow(
    'ChainInsights-prod calls a key API_KEY that it has without issuing it: choose another name.',
  );
  expect(() => checkNameIsFree({ ...service, given }, [], 'API_KEY2')).not.toThrow();
});

test('a name means the one key that fits, and an ID means that key whatever fits', () => {
  const keys = [keyOf('a', { enabled: false }), keyOf('b'), keyOf('c', { name: 'bob' })];
  expect(chooseKey(service, keys, { name: 'alice' }, enabled).id).toBe('b');
  expect(chooseKey(service, keys, { id: 'a' }, enabled).id).toBe('a');
});

/** A line that needs another word is wrong; one that names what is not there is none the worse for it. */
const { usage, failed } = exitCodes;

test.each([
  ['neither', {}, usage, 'Say which key is meant, with either --name or --id.'],
  ['both', { name: 'alice', id: 'a' }, usage, 'Say which key is meant, with either --name or --id.'],
  [
    'an unknown name',
    { name: 'eve' },
    failed,
    'ChainInsights-prod has no key named eve. npx chain-insights keys list --stage prod shows those it has.',
  ],
  ['an unknown ID', { id: 'x' }, failed, 'ChainInsights-prod has no key with the ID x.'],
  [
    'a name of two that fit',
    { name: 'alice' },
    usage,
    `ChainInsights-prod has 2 enabled keys named alice. Say which one is meant:
  --id a   issued 2026-11-20 10:00 UTC, enabled, replaced by b
  --id b   issued 2026-11-20 10:00 UTC, enabled`,
  ],
  [
    'a name of which none fits',
    { name: 'bob' },
    failed,
    'ChainInsights-prod has no enabled key named bob, only\n  --id c   issued 2026-11-20 10:00 UTC, disabled',
  ],
])('%s is refused', (_, named, exitCode, message) => {
  const keys = [keyOf('a'), keyOf('b', { replaces: 'a' }), keyOf('c', { name: 'bob', enabled: false })];
  expect(() => chooseKey(service, keys, named, enabled)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message), exitCode }),
  );
});

test('of several that replaced a key, the newest that is accepted counts', () => {
  const old = keyOf('old');
  const at = (hour: number, more: Partial<Key>) => ({
    ...more,
    created_at: `2026-11-20T1${hour}:00:00.000Z`,
  });
  const first = keyOf('first', at(1, { replaces: 'old' }));
  const second = keyOf('second', at(2, { replaces: 'old' }));
  const disabled = keyOf('disabled', at(3, { replaces: 'old', enabled: false }));
  expect(replacementOf(old, [old, first, second, disabled])?.id).toBe('second');
});

test('what replaces a key is accepted and came after it, whatever was rotated and disabled', () => {
  const histories = fc.array(fc.record({ parent: fc.nat(), enabled: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(histories, (history) => {
      const keys = history.map(({ parent, enabled }, index) =>
        keyOf(String(index), {
          enabled,
          created_at: `2026-11-2${index}`,
          ...(index > 0 && { replaces: String(parent % index) }),
        }),
      );
      const isAfter = (key: Key, other: Key): boolean => {
        const parent = keys.find(({ id }) => id === other.replaces);
        return parent !== undefined && (parent === key || isAfter(key, parent));
      };
      for (const key of keys) {
        const accepted = keys.filter((other) => other.enabled && isAfter(key, other));
        const replacement = replacementOf(key, keys);
        expect(replacement ? accepted : []).toEqual(accepted);
        if (replacement) expect(accepted).toContain(replacement);
      }
    }),
  );
});
