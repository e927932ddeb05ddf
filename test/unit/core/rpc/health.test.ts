import fc from 'fast-check';
import {
  afterFault,
  afterSuccess,
  type CallFault,
  type Health,
  isCoolingDown,
  NEW_HEALTH,
} from '#core/rpc/health.ts';
import type { FaultKind } from '#core/rpc/endpoint.ts';
import type { Pause } from '#core/rpc/refusals.ts';

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
const others: FaultKind[] = ['unreachable', 'too large', 'invalid response', 'wrong chain', 'invalid block'];

const overloads: FaultKind[] = ['rate limit', 'quota', 'down', 'misconfigured'];

test('a new endpoint gets eight concurrent calls', () => {
  expect(isCoolingDown(NEW_HEALTH, NOW)).toBe(false);
  expect(NEW_HEALTH.concurrency).toBe(8);
});

describe('backoff', () => {
  test.each<FaultKind>(['unavailable', 'no method', 'not yet'])('%s starts no cooldown', (kind) => {
    expect(pausesAfter(several(20, kind))).toEqual(several(20, 0));
  });

  test.each(overloads)('%s starts a cooldown at once, which doubles up to five minutes', (kind) => {
    expect(pausesAfter(several(11, kind))).toEqual([
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

describe('the pause that an endpoint asks for', () => {
  const pauseFor = (pause: Pause, kind: FaultKind = 'rate limit') =>
    pauseOf(met(NEW_HEALTH, kind, { pause }));

  test('is respected as a length and as a time', () => {
    expect(pauseFor({ ms: 120_000 })).toBe(120_000);
    expect(pauseFor({ until: NOW + 90_000 })).toBe(90_000);
  });

  test('is limited to five minutes, and to six hours for a quota', () => {
    expect(pauseFor({ ms: Infinity })).toBe(300_000);
    expect(pauseFor({ until: Date.parse('2099-11-20') }, 'down')).toBe(300_000);
    expect(pauseFor({ ms: 3_600_000 }, 'quota')).toBe(3_600_000);
    expect(pauseFor({ ms: Infinity }, 'quota')).toBe(6 * 3_600_000);
  });

  test.each<Pause>([{ ms: 0 }, { until: NOW - 1 }])(
    'of no time does not change the cooldown: %p',
    (pause) => {
      expect(pauseFor(pause)).toBe(1_000);
    },
  );

  test('of milliseconds shortens the first cooldown to a quarter of a second, and those after it double', () => {
    let [health, now] = [NEW_HEALTH, NOW];
    const pauses: number[] = [];
    while (pauses.length < 5) {
      health = met(health, 'rate limit', { pause: { ms: 4 }, now });
      pauses.push(pauseOf(health, now));
      now = health.coolingDownUntil + 1;
    }
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000]);
  });

  test('is respected for every fault, also of concurrent calls', () => {
    expect(pauseFor({ ms: 60_000 }, 'unavailable')).toBe(60_000);
    const limited = met(NEW_HEALTH, 'rate limit', { pause: { ms: 10_000 } });
    const before = { startedAt: NOW - 1, now: NOW };
    expect(pauseOf(met(limited, 'down', { ...before, pause: { ms: 60_000 } }))).toBe(60_000);
    expect(pauseOf(met(limited, 'down', { ...before, pause: { ms: 5_000 } }))).toBe(10_000);
  });

  test('never shortens a cooldown', () => {
    const badly = several(5, 'rate limit' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH);
    expect(pauseOf(met(badly, 'rate limit', { pause: { ms: 1_000 } }))).toBe(32_000);
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
  test.each<FaultKind>([...overloads, 'timeout'])('is halved by %s', (kind) => {
    expect(met(NEW_HEALTH, kind).concurrency).toBe(4);
  });

  test('never grows with a fault', () => {
    for (const kind of [...others, 'unavailable', 'no method', 'not yet'] as const)
      expect(met(NEW_HEALTH, kind).concurrency).toBe(8);
  });

  test('is one while the circuit is open, and unchanged before', () => {
    const concurrencies = [1, 2, 3, 4, 5, 6].map(
      (faults) =>
        several(faults, 'unreachable' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH)
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
    kind: fc.constantFrom<FaultKind>('timeout', ...overloads.filter((kind) => kind !== 'quota'), ...others),
    pause: fc.option(
      fc.oneof(fc.record({ ms: fc.double({ min: 0, noNaN: true }) }), fc.record({ until: fc.integer() })),
      { nil: undefined },
    ),
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
          ? met(health, event.kind, { pause: event.pause, startedAt: now - event.wait, now })
          : afterSuccess(health);
        expect(health.concurrency).toBeGreaterThanOrEqual(1);
        expect(health.concurrency).toBeLessThanOrEqual(64);
        expect(pauseOf(health, now)).toBeLessThanOrEqual(300_000);
        expect(health.coolingDownUntil).toBeGreaterThanOrEqual(before.coolingDownUntil);
      }
    }),
  );
});
