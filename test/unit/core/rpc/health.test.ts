import fc from 'fast-check';
import type { FaultKind } from '#core/rpc/endpoint.ts';
import {
  afterAnswer,
  afterFault,
  afterSuccess,
  askedLater,
  type Health,
  isBroken,
  isCoolingDown,
  NEW_HEALTH,
} from '#core/rpc/health.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const noJitter = (ms: number) => ms;

/** Returns the health after a fault of a call that started and ended at one moment. */
const met = (
  health: Health,
  kind: FaultKind,
  {
    now = NOW,
    startedAt = now,
    pauseMs,
  }: { now?: number; startedAt?: number; pauseMs?: number | undefined } = {},
) => afterFault(health, { kind, pauseMs }, startedAt, now, noJitter);

/** Returns the healths after each of several faults, a millisecond apart. */
function healthsAfter(times: number, kind: FaultKind): Health[] {
  let health = NEW_HEALTH;
  return Array.from({ length: times }, (_, ms) => {
    health = met(health, kind, { now: NOW + ms });
    return health;
  });
}
const afterMany = (times: number, kind: FaultKind) => healthsAfter(times, kind).at(-1) ?? NEW_HEALTH;

/** Returns the remaining cooldown, in milliseconds. */
const pauseOf = (health: Health, now = NOW) => Math.max(0, health.coolingDownUntil - now);

/** Returns the cooldown after each of several faults, each at the end of the cooldown before. */
function pausesAfter(kinds: readonly FaultKind[]): number[] {
  let [health, now] = [NEW_HEALTH, NOW];
  return kinds.map((kind) => {
    health = met(health, kind, { now });
    const pause = pauseOf(health, now);
    now += pause + 1;
    return pause;
  });
}

/** Returns the health after calls that are answered at these times. */
const answered = (health: Health, times: readonly number[], mostPerSecond = Number.POSITIVE_INFINITY) =>
  times.reduce((before, at) => afterAnswer(before, at - 50, at, mostPerSecond), health);

/** The times of 20 answers a second for five seconds. */
const steady = Array.from({ length: 100 }, (_, index) => NOW - 5_000 + 50 * index);

const several = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

/** The faults that do not indicate overload. */
const others: FaultKind[] = ['unreachable', 'too large', 'invalid response', 'wrong chain', 'invalid block'];
const overloads: FaultKind[] = ['quota', 'down', 'misconfigured'];
const unavailable: FaultKind[] = ['unavailable', 'no method', 'not yet'];

describe('the rate', () => {
  const limited = (health: Health, now = NOW) => met(health, 'rate limit', { now });
  const found = limited(answered(NEW_HEALTH, steady));

  test('is found from the answers of the last second, of which a part was in the second before', () => {
    const during = (count: number) => Array.from({ length: count }, (_, index) => NOW + index);
    const foundAfter = (count: number, now: number) =>
      limited(answered(NEW_HEALTH, [...steady, ...during(count)]), now);
    expect(foundAfter(10, NOW + 500).rate).toBeCloseTo(0.95 * (10 + 20 / 2));
    expect(foundAfter(4, NOW + 250).rate).toBeCloseTo(0.95 * (4 + (20 * 3) / 4));
    expect(foundAfter(4, NOW + 1_000).rate).toBeCloseTo(0.95 * 4);
    expect(limited(answered(NEW_HEALTH, steady), NOW + 1_000).rate).toBe(0.5);
  });

  test('grows with each answer, up to the stated one, and falls to one call in two seconds at the least', () => {
    expect(answered({ ...NEW_HEALTH, rate: 18 }, [NOW]).rate).toBeCloseTo(18 + 0.0025 + 0.005 / 18, 8);
    expect(answered({ ...NEW_HEALTH, rate: 18 }, [NOW], 18).rate).toBe(18);
    expect(limited({ ...NEW_HEALTH, rate: 0.55 }).rate).toBe(0.5);
  });

  test('falls by a tenth with each later refusal, and with no other fault', () => {
    const again = limited(found, NOW + 1);
    expect(again.rate).toBeCloseTo(17.1);
    expect(limited(again, NOW + 2).rate).toBeCloseTo(15.39);
    for (const kind of [...overloads, ...others, ...unavailable, 'timeout'] as const)
      expect(met(found, kind, { now: NOW + 1 }).rate).toBe(19);
  });

  test('settles near what an endpoint can sustain, with at most five refusals a minute', () => {
    const settle = (bears: number) => {
      let [health, refused, served]: [Health, number, number] = [NEW_HEALTH, 0, 0];
      let [left, now] = [bears, NOW];
      while (now < NOW + 300_000) {
        const before = now;
        now = Math.max(now + Math.max(4, 1_000 / health.rate), health.coolingDownUntil);
        left = Math.min(bears, left + ((now - before) * bears) / 1_000);
        if (left < 1) {
          health = limited(health, now);
          refused += 1;
        } else {
          left -= 1;
          served += 1;
          health = afterSuccess(answered(health, [now]));
        }
      }
      return { refused, share: served / (300 * bears) };
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (bears) => {
        const { refused, share } = settle(bears);
        expect(share).toBeGreaterThanOrEqual(0.8);
        expect(refused).toBeLessThanOrEqual(25);
      }),
      { numRuns: 20 },
    );
  });
});

test('the latency is an average, in which the last call counts a fifth, and none counts less than 0', () => {
  const answeredIn = (health: Health, ms: number) =>
    afterAnswer(health, NOW - ms, NOW, Number.POSITIVE_INFINITY);
  const first = answeredIn(NEW_HEALTH, 100);
  expect(first.latency).toBe(100);
  expect(answeredIn(first, 200).latency).toBe(120);
  expect(answeredIn(first, -50).latency).toBe(80);
});

test('only a timeout and a missing method ask an endpoint later, for ten minutes', () => {
  expect(askedLater(NEW_HEALTH, NOW).laterUntil).toBe(NOW + 600_000);
  for (const kind of ['timeout', 'no method'] as const)
    expect(met(NEW_HEALTH, kind).laterUntil).toBe(NOW + 600_000);
  for (const kind of ['rate limit', 'unavailable', 'not yet', ...overloads, ...others] as const)
    expect(met(NEW_HEALTH, kind).laterUntil).toBe(0);
});

describe('backoff', () => {
  test.each(unavailable)('%s starts no cooldown', (kind) => {
    expect(pausesAfter(several(20, kind))).toEqual(several(20, 0));
  });

  test.each(overloads)('%s starts a cooldown at once, which doubles up to five minutes', (kind) => {
    expect(pausesAfter(several(11, kind))).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000],
      ...[300_000, 300_000],
    ]);
  });

  test('a rate limit starts a shorter cooldown, which doubles up to five minutes', () => {
    expect(pausesAfter(several(12, 'rate limit'))).toEqual([
      ...[250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000],
      ...[256_000, 300_000],
    ]);
  });

  test.each(others)('%s starts a cooldown after five in a row, which doubles', (kind) => {
    expect(pausesAfter(several(8, kind))).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000]);
  });
});

test('a success ends a row of faults: the next cooldown is as short as the first', () => {
  const recovered = { ...afterSuccess(afterMany(3, 'down')), coolingDownUntil: 0 };
  expect(pauseOf(met(recovered, 'down', { now: NOW + 10_000 }), NOW + 10_000)).toBe(1_000);
});

describe('the pause that an endpoint asks for', () => {
  const pauseFor = (pauseMs: number, kind: FaultKind = 'rate limit') =>
    pauseOf(met(NEW_HEALTH, kind, { pauseMs }));

  test('is limited to five minutes, and to six hours for a quota', () => {
    expect(pauseFor(Infinity)).toBe(300_000);
    expect(pauseFor(1e12, 'down')).toBe(300_000);
    expect(pauseFor(3_600_000, 'quota')).toBe(3_600_000);
    expect(pauseFor(Infinity, 'quota')).toBe(6 * 3_600_000);
  });

  test.each([0, 4, -1])('does not shorten the cooldown: %p', (pauseMs) => {
    expect(pauseFor(pauseMs)).toBe(250);
    expect(pauseFor(pauseMs, 'down')).toBe(1_000);
    expect(pauseFor(pauseMs, 'timeout')).toBe(20_000);
    const badly = afterMany(5, 'down');
    expect(pauseOf(met(badly, 'down', { pauseMs, now: NOW + 5 }), NOW + 5)).toBe(32_000);
  });

  test('is respected for every fault, also of concurrent calls', () => {
    expect(pauseFor(60_000, 'unavailable')).toBe(60_000);
    const limited = met(NEW_HEALTH, 'rate limit', { pauseMs: 10_000 });
    const before = { startedAt: NOW - 1, now: NOW };
    expect(pauseOf(met(limited, 'down', { ...before, pauseMs: 60_000 }))).toBe(60_000);
    expect(pauseOf(met(limited, 'down', { ...before, pauseMs: 5_000 }))).toBe(10_000);
  });
});

test.each<FaultKind>(['rate limit', 'timeout', 'invalid block'])(
  'concurrent calls that end in %s are one incident, also in one millisecond',
  (kind) => {
    const once = met(answered(NEW_HEALTH, steady), kind, { startedAt: NOW - 10, now: NOW });
    const together = several(20, NOW - 10).reduce(
      (health, startedAt, index) => met(health, kind, { startedAt, now: NOW + index }),
      once,
    );
    const { concurrency, rate } = once;
    expect(together).toMatchObject({ faults: 1, concurrency, rate });
    expect(pauseOf(together, NOW + 20)).toBe(pauseOf(once, NOW + 20));
    expect(met(once, kind)).toMatchObject({ faults: 1, concurrency, rate });
    expect(met(once, kind, { startedAt: NOW + 1, now: NOW + 2 }).faults).toBe(2);
  },
);

test('a fault counts although the clock was set back since the last one', () => {
  const once = met(NEW_HEALTH, 'down');
  expect(met(once, 'down', { startedAt: NOW - 10, now: NOW - 5 }).faults).toBe(2);
});

test('a cooldown ends at its end', () => {
  const health = { ...NEW_HEALTH, coolingDownUntil: NOW };
  expect([NOW - 1, NOW].map((now) => isCoolingDown(health, now))).toEqual([true, false]);
});

describe('concurrency', () => {
  test.each<FaultKind>([...overloads, 'timeout'])('is halved by %s', (kind) => {
    expect(met(NEW_HEALTH, kind).concurrency).toBe(4);
  });

  test('is one while the circuit is open, after five other faults in a row', () => {
    expect([4, 5, 6].map((times) => afterMany(times, 'invalid block').concurrency)).toEqual([8, 1, 1]);
    expect([4, 5].map((times) => isBroken(afterMany(times, 'invalid block')))).toEqual([false, true]);
    expect(isBroken(afterSuccess(afterMany(5, 'invalid block')))).toBe(false);
  });

  test('grows by one after as many successes as there are calls at once, up to 64', () => {
    const grown = (times: number) => several(times, 0).reduce(afterSuccess, NEW_HEALTH).concurrency;
    expect(grown(8)).toBeGreaterThan(8.9);
    expect(grown(8)).toBeLessThan(9);
    expect(grown(5_000)).toBe(64);
  });

  test('is kept by rate limits, however many, because the rate limits the calls', () => {
    expect(afterMany(9, 'rate limit')).toMatchObject({ faults: 9, concurrency: 8 });
  });
});

test('no fault raises the rate or the concurrency, or shortens a cooldown, and all keep their bounds', () => {
  const fault = fc.record({
    kind: fc.constantFrom<FaultKind>('rate limit', 'timeout', 'down', 'misconfigured', ...others),
    pauseMs: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
    wait: fc.nat({ max: 60_000 }),
    passed: fc.nat({ max: 400_000 }),
  });
  const event = fc.oneof(fault, fc.constantFrom('answer' as const, 'success' as const));
  const stated = fc.constantFrom(1, 20, Number.POSITIVE_INFINITY);
  fc.assert(
    fc.property(stated, fc.array(event, { maxLength: 100, size: 'max' }), (mostPerSecond, events) => {
      let health: Health = { ...NEW_HEALTH, rate: mostPerSecond };
      let now = NOW;
      for (const one of events) {
        const before = health;
        if (one === 'answer') health = answered(health, [now], mostPerSecond);
        else if (one === 'success') health = afterSuccess(health);
        else {
          now += one.passed;
          health = met(health, one.kind, { pauseMs: one.pauseMs, startedAt: now - one.wait, now });
          expect(health.rate).toBeLessThanOrEqual(before.rate);
          expect(health.concurrency).toBeLessThanOrEqual(before.concurrency);
        }
        expect(health.concurrency).toBeGreaterThanOrEqual(1);
        expect(health.concurrency).toBeLessThanOrEqual(64);
        expect(health.rate).toBeGreaterThanOrEqual(0.5);
        expect(health.rate).toBeLessThanOrEqual(mostPerSecond);
        expect(pauseOf(health, now)).toBeLessThanOrEqual(300_000);
        expect(health.coolingDownUntil).toBeGreaterThanOrEqual(before.coolingDownUntil);
      }
    }),
  );
});
