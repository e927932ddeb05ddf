import fc from 'fast-check';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { drawDays, withoutFirst } from '../../../cli/verify/sample.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ chain: 'BASE', day: addDays('2026-01-01', index) }));
const all = days(200);

test('the same seed draws the same days, and another one others', () => {
  expect(drawDays(all, 7, 10)).toEqual(drawDays(all.toReversed(), 7, 10));
  expect(drawDays(all, 7, 10)).not.toEqual(drawDays(all, 8, 10));
});

test('no day is drawn twice, and no more than there are', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, count) => {
      const drawn = drawDays(all, seed, count);
      expect(drawn).toHaveLength(Math.min(count, all.length));
      expect(new Set(drawn).size).toBe(drawn.length);
    }),
    { numRuns: 30 },
  );
});

test('a larger sample begins with the smaller one, so that it can be gone on with', () => {
  expect(drawDays(all, 7, 30).slice(0, 10)).toEqual(drawDays(all, 7, 10));
});

test('those that were verified before are left out, and a draw that is then empty is refused', () => {
  const drawn = drawDays(all, 7, 3);
  expect(withoutFirst(drawn, 2)).toEqual([drawn[2]]);
  for (const skip of [3, 100]) {
    expect(() => withoutFirst(drawn, skip)).toThrow(
      expect.objectContaining({
        message: `--skip ${skip} leaves none of the 3 days that --sample draws: skip fewer, or draw more.`,
        exitCode: exitCodes.usage,
      }),
    );
  }
});

test('a day that becomes final meanwhile leaves the order of the others as it is', () => {
  const added = { chain: 'ETHEREUM', day: '2026-01-01' };
  const later = drawDays([...all, added], 7, 201);
  expect(later.filter((day) => day !== added)).toEqual(drawDays(all, 7, 200));
});

test('over many seeds each day comes about as often as any other', () => {
  const times = new Map(days(10).map(({ day }) => [day, 0]));
  for (let seed = 0; seed < 2_000; seed++) {
    for (const { day } of drawDays(days(10), seed, 3)) times.set(day, (times.get(day) ?? 0) + 1);
  }
  // 600 each; six standard deviations are 123.
  for (const count of times.values()) expect(Math.abs(count - 600)).toBeLessThan(123);
});
