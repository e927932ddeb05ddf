import fc from 'fast-check';
import {
  afterAnswer,
  afterFault,
  type Health,
  isCoolingDown,
  type MetFault,
  NEW_HEALTH,
} from '../../../lambda/rpc/circuit-breaker.ts';
import type { FaultKind } from '../../../lambda/rpc/endpoint.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const whole = (ms: number) => ms;

/** The health after a fault that was asked for and met at a moment. */
const met = (
  health: Health,
  kind: FaultKind,
  { now = NOW, ...given }: Partial<MetFault> & { now?: number } = {},
) => afterFault(health, { kind, askedAt: now, ...given }, now, whole);

/** How long an endpoint is left alone, in milliseconds. */
const pauseOf = (health: Health, now = NOW) => Math.max(0, health.coolingDownUntil - now);

/** The pauses after each of several faults, each met when the pause before it is over. */
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

/** The kinds that say nothing of how much is asked. */
const others: FaultKind[] = [
  'not reached',
  'HTTP error',
  'too large',
  'bad answer',
  'wrong chain',
  'bad block',
];

test('an endpoint of which nothing is known is asked, eight calls at once', () => {
  expect(isCoolingDown(NEW_HEALTH, NOW)).toBe(false);
  expect(NEW_HEALTH.concurrency).toBe(8);
});

describe('backoff', () => {
  test.each<FaultKind>(['RPC error', 'not there'])(
    'one that does not have what it is asked for is not left alone: %s',
    (kind) => {
      expect(pausesAfter(several(20, kind))).toEqual(several(20, 0));
    },
  );

  test('a rate limit pauses at once, and each time twice as long, for five minutes at most', () => {
    expect(pausesAfter(several(11, 'rate limit'))).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000],
      ...[300_000, 300_000],
    ]);
  });

  test('silence pauses at once and for longer, for each look whether it is over costs a wait', () => {
    expect(pausesAfter(several(6, 'timeout'))).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  test.each(others)('%s pauses only after five in a row, and then each time twice as long', (kind) => {
    expect(pausesAfter(several(8, kind))).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000]);
  });

  test('an endpoint is asked again when its pause is over', () => {
    const limited = met(NEW_HEALTH, 'rate limit');
    expect([0, 999, 1_000].map((ms) => isCoolingDown(limited, NOW + ms))).toEqual([true, true, false]);
  });

  test('one good answer is enough: the next fault is the first again', () => {
    const badly = several(6, 'bad block' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH);
    expect(pausesAfter(['bad block', 'rate limit'], afterAnswer(badly))).toEqual([0, 2_000]);
    expect(pausesAfter(['rate limit'], afterAnswer(badly))).toEqual([1_000]);
  });

  test('a good answer that was under way does not end a pause', () => {
    expect(pauseOf(afterAnswer(met(NEW_HEALTH, 'rate limit')))).toBe(1_000);
  });

  test('pauses are jittered', () => {
    const half = afterFault(NEW_HEALTH, { kind: 'rate limit', askedAt: NOW }, NOW, (ms) => ms / 2);
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
  ])('is heeded in %s', (_, value, pause) => {
    expect(pauseFor(value)).toBe(pause);
  });

  test.each([
    ['more than five minutes', '86400'],
    ['more seconds than a number holds', '9'.repeat(400)],
    ['a date far away', 'Fri, 20 Nov 2099 12:00:00 GMT'],
  ])('is heeded for five minutes where it asks for %s', (_, value) => {
    expect(pauseFor(value)).toBe(300_000);
  });

  test.each([
    ['no time', '0'],
    ['a date that is over', 'Fri, 20 Nov 2026 11:00:00 GMT'],
    ['nothing', ''],
    ['what is no time', 'soon'],
    ['a negative time', '-5'],
  ])('of %s leaves the pause as it is without', (_, value) => {
    expect(pauseFor(value)).toBe(pauseFor(undefined));
  });

  test('is heeded whatever the fault, and even of one that says nothing new', () => {
    expect(pauseFor('60', 'HTTP error')).toBe(60_000);
    const limited = met(NEW_HEALTH, 'rate limit', { retryAfter: '10' });
    const before = { askedAt: NOW - 1, now: NOW };
    expect(pauseOf(met(limited, 'HTTP error', { ...before, retryAfter: '60' }))).toBe(60_000);
    expect(pauseOf(met(limited, 'HTTP error', { ...before, retryAfter: '5' }))).toBe(10_000);
  });

  test('never makes a pause shorter', () => {
    const badly = several(5, 'rate limit' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH);
    expect(pauseOf(met(badly, 'rate limit', { retryAfter: '1' }))).toBe(32_000);
  });
});

test.each<FaultKind>(['rate limit', 'timeout', 'bad block'])(
  'calls that were under way together and end in %s count once',
  (kind) => {
    const once = met(NEW_HEALTH, kind, { askedAt: NOW - 10, now: NOW });
    const together = several(20, NOW - 10).reduce(
      (health, askedAt, index) => met(health, kind, { askedAt, now: NOW + index }),
      once,
    );
    expect(together).toMatchObject({ faults: 1, concurrency: once.concurrency });
    expect(pauseOf(together, NOW + 20)).toBe(pauseOf(once, NOW + 20));
    expect(met(once, kind, { askedAt: NOW + 1, now: NOW + 2 }).faults).toBe(2);
  },
);

describe('concurrency', () => {
  test('is halved by what is too much', () => {
    expect(met(NEW_HEALTH, 'rate limit').concurrency).toBe(4);
    expect(met(NEW_HEALTH, 'timeout').concurrency).toBe(4);
  });

  test('is one while an endpoint fails again and again, and untouched until then', () => {
    const concurrencies = [1, 2, 3, 4, 5, 6].map(
      (faults) =>
        several(faults, 'HTTP error' as const).reduce((health, kind) => met(health, kind), NEW_HEALTH)
          .concurrency,
    );
    expect(concurrencies).toEqual([8, 8, 8, 8, 1, 1]);
  });

  test('grows by about one for as many good answers as there are calls at once', () => {
    const after = several(8, undefined).reduce<Health>(afterAnswer, NEW_HEALTH);
    expect(after.concurrency).toBeGreaterThan(8.9);
    expect(after.concurrency).toBeLessThanOrEqual(9);
    expect(afterAnswer({ ...NEW_HEALTH, concurrency: 1 }).concurrency).toBe(2);
  });

  test('grows to 32 and no further', () => {
    expect(several(10_000, undefined).reduce<Health>(afterAnswer, NEW_HEALTH).concurrency).toBe(32);
  });
});

test('whatever happens, one call is allowed and 32 at most, and no pause is longer than five minutes or cut short', () => {
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
          ? met(health, event.kind, { retryAfter: event.retryAfter, askedAt: now - event.wait, now })
          : afterAnswer(health);
        expect(health.concurrency).toBeGreaterThanOrEqual(1);
        expect(health.concurrency).toBeLessThanOrEqual(32);
        expect(pauseOf(health, now)).toBeLessThanOrEqual(300_000);
        expect(health.coolingDownUntil).toBeGreaterThanOrEqual(before.coolingDownUntil);
      }
    }),
  );
});
