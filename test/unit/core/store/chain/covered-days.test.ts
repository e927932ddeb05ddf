import fc from 'fast-check';
import { addDays } from '#core/figures/calendar.ts';
import { evidences } from '#core/figures/day-figures.ts';
import {
  type CoveredDay,
  daysWith,
  fromText,
  heirsIn,
  lastDayOf,
  lastWithoutGap,
  NO_DAYS,
  toText,
  withDays,
} from '#core/store/chain/covered-days.ts';

/* The days of a chain as one letter each: compared with a plain map of days, for random changes. */

const FIRST = '2026-01-01';
const anyDay: fc.Arbitrary<CoveredDay> = fc
  .record({ index: fc.nat(40), evidence: fc.constantFrom(...evidences), isHeir: fc.boolean() })
  .map(({ index, evidence, isHeir }) => ({
    day: addDays(FIRST, index),
    evidence,
    isHeir: isHeir && evidence !== 'archived',
  }));
const anyChanges = fc.array(fc.array(anyDay, { maxLength: 4 }), { maxLength: 12, size: 'max' });

const covered = (changes: readonly (readonly CoveredDay[])[]) => changes.reduce(withDays, NO_DAYS);
const expected = (changes: readonly (readonly CoveredDay[])[]) =>
  new Map(changes.flat().map((one) => [one.day, one]));

test('counts the days of each kind of evidence, finds gaps and heirs, for any order of changes', () => {
  fc.assert(
    fc.property(anyChanges, (changes) => {
      const [days, all] = [covered(changes), expected(changes)];
      const sorted = [...all.keys()].toSorted();
      expect(lastDayOf(days)).toBe(sorted.at(-1));
      let last = addDays(FIRST, 4);
      while (all.has(addDays(last, 1))) last = addDays(last, 1);
      expect(lastWithoutGap(days, addDays(FIRST, 5))).toBe(last);
      const heirs = sorted.filter((day) => all.get(day)?.isHeir);
      expect(heirsIn(days)).toEqual(heirs.toReversed());
      for (const evidence of evidences) {
        const found = sorted.filter((day) => all.get(day)?.evidence === evidence);
        const counted = { days: found.length, first: found[0], last: found.at(-1) };
        expect(daysWith(days, evidence)).toEqual(found.length > 0 ? counted : undefined);
      }
    }),
  );
});

test('is the same after it was stored as text', () => {
  fc.assert(
    fc.property(anyChanges, (changes) => {
      const days = covered(changes);
      expect(fromText(toText(days))).toEqual(days);
    }),
  );
});

test('writes days in a row as one letter with their number', () => {
  const proven = (index: number) => ({
    day: addDays(FIRST, index),
    evidence: 'proven' as const,
    isHeir: false,
  });
  const days = withDays(NO_DAYS, [0, 1, 2, 5].map(proven));
  expect(toText(withDays(days, [{ ...proven(2), evidence: 'checked', isHeir: true }]))).toBe(
    '2026-01-01 p2C.2p',
  );
});

test('the text of eleven years fits half of a small item, however the kinds of days alternate by month', () => {
  const days = Array.from({ length: 4_200 }, (_, index) => ({
    day: addDays('2015-07-30', index),
    evidence: evidences[Math.floor(index / 30) % 3] ?? 'proven',
    isHeir: false,
  }));
  expect(toText(withDays(NO_DAYS, days)).length).toBeLessThan(2_048);
});

test.each(['p3', '2026-01-01', '2026-01-01 x3', '2026-01-01 p3 c2'])('refuses the text %s', (text) => {
  expect(fromText(text)).toBeUndefined();
});
