import fc from 'fast-check';
import {
  afterFault,
  afterSuccess,
  type CallFault,
  type Health,
  isCoolingDown,
  NEW_HEALTH,
} from '#core/rpc/circuit-breaker.ts';
import type { FaultKind } from '#core/rpc/endpoint.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const noJitter = (ms: number) => ms;

/** Returns the health after a fault of a call that started and ended at one moment. */
const met = (
  health: Health,
  kind: FaultKind,
  { now = NOW, ...given }: Partial<CallFault> & { now?: number } = {},
) => afterFault(health, { kind, startedAt: now, ...given }, now, noJitter);

/** Returns the remaining cooldown, in milliseconds. */
const pauseOf = (health: Health, now = NOW) => Math.max(0, health.coolingDownUntil - now);

/** Returns the cooldown after each of several faults, each at the end of the cooldown before. */
function pausesAfter(kinds: readonly FaultKind[], health = NEW_HEALTH): number[] {
  let now = Math.max(NOW, health.coolingDownUntil);
  return kinds.map((kind) => {
    health = met(health, kind, { now });
    const pause = pauseOf(health, now);
    now += pause + 1;
    return pause;
  });
}

const several = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

/** The faults that do not indicate overload. */
const others: FaultKind[] = [
  'unreachable',
  'HTTP error',
  'too large',
  'invalid response',
  'wrong chain',
  'invalid block',
];

test('a new endpoint gets eight concurrent calls', () => {
  expect(isCoolingDown(NEW_HEALTH, NOW)).toBe(false);
  expect(NEW_HEALTH.concurrency).toBe(8);
});

describe('backoff', () => {
  test.each<FaultKind>(['RPC error', 'no method', 'unavailable'])('%s starts no cooldown', (kind) => {
    expect(pausesAfter(several(20, kind))).toEqual(several(20, 0));
  });

  test('a rate limit starts a cooldown at once, which doubles up to five minutes', () => {
    expect(pausesAfter(several(11, 'rate limit'))).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000],
      ...[300_000, 300_000],
    ]);
  });

  test('a timeout starts a longer cooldown at once', () => {
    expect(pausesAfter(several(6, 'timeout'))).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  test.each(others)('%s starts a cooldown after five in a row, which doubles', (kind) => {
    expect(pausesAfter(several(8, kind))).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000]);
  });

  test('the cooldown ends after its time', () => {
    const limited = met(NEW_HEALTH, 'rate limit');
    expect([0, 999, 1_000].map((ms) => isCoolingDown(limited, NOW + ms))).toEqual([true, true, false]);
  });

  test('one success resets the faults', () => {
    const badly = several(6, 'invalid block' as const).reduce(
      (health, kind) => met(health, kind),
      NEW_HEALTH,
    );
    expect(pausesAfter(['invalid block', 'rate limit'], afterSuccess(badly))).toEqual([0, 2_000]);
    expect(pausesAfter(['rate limit'], afterSuccess(badly))).toEqual([1_000]);
  });

  test('a success of an earlier call does not end a cooldown', () => {
    expect(pauseOf(afterSuccess(met(NEW_HEALTH, 'rate limit')))).toBe(1_000);
  });

  test('cooldowns have jitter', () => {
    const half = afterFault(NEW_HEALTH, { kind: 'rate limit', startedAt: NOW }, NOW, (ms) => ms / 2);
    expect(pauseOf(half)).toBe(500);
  });
});

describe('Retry-After', () => {
  const pauseFor = (retryAfter: string | undefined, kind: FaultKind = 'rate limit') =>
    pauseOf(met(NEW_HEALTH, kind, { retryAfter }));

  test.each([
    ['seconds', '120', 120_000],
    ['seconds with spaces around them', ' 7 ', 7_000],
    ['a date', 'Fri, 20 Nov 2026 12:01:30 GMT', 90_000],
  ])('is respected in %s', (_, value, pause) => {
    expect(pauseFor(value)).toBe(pause);
  });

  test.each([
    ['more than five minutes', '86400'],
    ['more seconds than a number holds', '9'.repeat(400)],
    ['a date far away', 'Fri, 20 Nov 2099 12:00:00 GMT'],
  ])('is limited to five minutes for %s', (_, value) => {
    expect(pauseFor(value)).toBe(300_000);
  });

  test.each([
    ['no time', '0'],
    ['a past date', 'Fri, 20 Nov 2026 11:00:00 GMT'],
    ['nothing', ''],
    ['another text', 'soon'],
    ['a negative time', '-5'],
  ])('of %s does not change the cooldown', (_, value) => {
    expect(pauseFor(value)).toBe(pauseFor(undefined));
  });

  test('is respected for every fault, also of concurrent calls', () => {
    expect(pauseFor('60', 'HTTP error')).toBe(60_000);
    const limited = met(NEW_HEALTH, 'rate limit', { retryAfter: '10' });
    const before = { startedAt: NOW - 1, now: NOW };
    expect(pauseOf(met(limited, 'HTTP error', { ...before, retryAfter: '60' }))).toBe(60_000);
    expect(pauseOf(met(limited, 'HTTP error', { ...before, retryAfter: '5' }))).toBe(10_000);
  });

  test('never shortens a cooldown', () => {
    const badly = several(5, 'rate limit' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH);
    expect(pauseOf(met(badly, 'rate limit', { retryAfter: '1' }))).toBe(32_000);
  });
});

test.each<FaultKind>(['rate limit', 'timeout', 'invalid block'])(
  'concurrent calls that end in %s count once',
  (kind) => {
    const once = met(NEW_HEALTH, kind, { startedAt: NOW - 10, now: NOW });
    const together = several(20, NOW - 10).reduce(
      (health, startedAt, index) => met(health, kind, { startedAt, now: NOW + index }),
      once,
    );
    expect(together).toMatchObject({ faults: 1, concurrency: once.concurrency });
    expect(pauseOf(together, NOW + 20)).toBe(pauseOf(once, NOW + 20));
    expect(met(once, kind, { startedAt: NOW + 1, now: NOW + 2 }).faults).toBe(2);
  },
);

describe('concurrency', () => {
  test.each<FaultKind>(['RPC error', 'no method', 'unavailable'])(
    'grows with %s, which is an answer',
    (kind) => {
      expect(met(NEW_HEALTH, kind).concurrency).toBe(8.125);
    },
  );

  test('is halved by a rate limit and a timeout', () => {
    expect(met(NEW_HEALTH, 'rate limit').concurrency).toBe(4);
    expect(met(NEW_HEALTH, 'timeout').concurrency).toBe(4);
  });

  test('is one while the circuit is open, and unchanged before', () => {
    const concurrencies = [1, 2, 3, 4, 5, 6].map(
      (faults) =>
        several(faults, 'HTTP error' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH)
          .concurrency,
    );
    expect(concurrencies).toEqual([8, 8, 8, 8, 1, 1]);
  });

  test('grows by about one per round of successes', () => {
    const after = several(8, undefined).reduce<Health>(afterSuccess, NEW_HEALTH);
    expect(after.concurrency).toBeGreaterThan(8.9);
    expect(after.concurrency).toBeLessThanOrEqual(9);
    expect(afterSuccess({ ...NEW_HEALTH, concurrency: 1 }).concurrency).toBe(2);
  });

  test('grows up to 64', () => {
    expect(several(10_000, undefined).reduce<Health>(afterSuccess, NEW_HEALTH).concurrency).toBe(64);
  });
});

test('the concurrency is 1 to 64, and no cooldown exceeds five minutes or is shortened', () => {
  const fault = fc.record({
    kind: fc.constantFrom<FaultKind>('rate limit', 'timeout', ...others),
    retryAfter: fc.option(fc.oneof(fc.nat().map(String), fc.string(), fc.date().map(String)), {
      nil: undefined,
    }),
    wait: fc.nat({ max: 60_000 }),
    passed: fc.nat({ max: 400_000 }),
  });
  fc.assert(
    fc.property(fc.array(fc.option(fault, { nil: undefined }), { maxLength: 100 }), (events) => {
      let health = NEW_HEALTH;
      let now = NOW;
      for (const event of events) {
        const before = health;
        now += event?.passed ?? 0;
        health = event
          ? met(health, event.kind, { retryAfter: event.retryAfter, startedAt: now - event.wait, now })
          : afterSuccess(health);
        expect(health.concurrency).toBeGreaterThanOrEqual(1);
        expect(health.concurrency).toBeLessThanOrEqual(64);
        expect(pauseOf(health, now)).toBeLessThanOrEqual(300_000);
        expect(health.coolingDownUntil).toBeGreaterThanOrEqual(before.coolingDownUntil);
      }
    }),
  );
});

test('no Retry-After makes an endpoint cool down without end, or sets it back', () => {
  const hostile = fc.constantFrom(
    '0',
    '-1',
    '',
    ' ',
    '²',
    '9'.repeat(5_000),
    '1e9',
    'Infinity',
    'NaN',
    '0x10',
  );
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string()), fc.date({ noInvalidDate: true }), (retryAfter, date) => {
      const now = Math.max(0, date.getTime());
      const { coolingDownUntil } = afterFault(
        NEW_HEALTH,
        { kind: 'rate limit', retryAfter, startedAt: now },
        now,
        (ms) => ms,
      );
      expect(coolingDownUntil).toBeGreaterThanOrEqual(now + 1_000);
      expect(coolingDownUntil).toBeLessThanOrEqual(now + 300_000);
    }),
  );
});
