import fc from 'fast-check';
import { daysBetween } from '../../../cli/day-ranges.ts';
import { usageOf } from '../../../cli/keys/local-keys.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';

const QUOTA = 1_000;

test('subtracts requests before the range from the quota and resets it each month', () => {
  const counts = new Map([
    ['2026-10-02', 100],
    ['2026-10-30', 7],
    ['2026-11-02', 1_500],
  ]);
  expect(usageOf(counts, { first: '2026-10-30', last: '2026-11-02' }, QUOTA)).toEqual([
    { date: '2026-10-30', requests: 7, remaining: 893 },
    { date: '2026-10-31', requests: 0, remaining: 893 },
    { date: '2026-11-01', requests: 0, remaining: 1_000 },
    { date: '2026-11-02', requests: 1_500, remaining: 0 },
  ]);
});

test('reports no remaining requests without a quota', () => {
  const day = { date: '2026-11-20', requests: 0 };
  expect(usageOf(new Map(), { first: day.date, last: day.date }, undefined)).toEqual([day]);
});

test('reports the same days for a range as for its single days', () => {
  const counts = fc.dictionary(
    fc.nat(80).map((day) => addDays('2026-10-01', day)),
    fc.nat(QUOTA / 10),
  );
  fc.assert(
    fc.property(counts, fc.nat(40), fc.nat(40), (byDay, from, length) => {
      const used = new Map(Object.entries(byDay));
      const first = addDays('2026-10-01', from);
      const last = addDays(first, length);
      const days = daysBetween(first, last);
      const single = days.flatMap((day) => usageOf(used, { first: day, last: day }, QUOTA));
      expect(usageOf(used, { first, last }, QUOTA)).toEqual(single);
      expect(single.map(({ date, requests }) => [date, requests])).toEqual(
        days.map((day) => [day, used.get(day) ?? 0]),
      );
    }),
  );
});
