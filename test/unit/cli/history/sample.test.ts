import fc from 'fast-check';
import type { ArchiveRow } from '#cli/history/row.ts';
import { drawRows, drawUnits, maxDiffering, type Sampled, seedOf, statementOf } from '#cli/history/sample.ts';
import { chainOf } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';

/** Returns the probability that a sample of one stratum holds none of k differing units: C(N − k, n) / C(N, n). */
const missOne = ({ drawn, of }: Sampled, k: number): number =>
  Array.from({ length: k }, (_, i) => Math.max(0, of - drawn - i) / (of - i)).reduce(
    (product, one) => product * one,
    1,
  );

/** Returns the highest probability of a miss over all ways to spread k differing units over strata. */
function worstMiss([stratum, ...others]: readonly Sampled[], k: number): number {
  if (!stratum) return k === 0 ? 1 : 0;
  return Math.max(
    ...Array.from(
      { length: Math.min(k, stratum.of) + 1 },
      (_, here) => missOne(stratum, here) * worstMiss(others, k - here),
    ),
  );
}

const sampled = fc
  .tuple(fc.integer({ min: 1, max: 14 }), fc.nat(14))
  .map(([of, drawn]) => ({ of, drawn: Math.min(of, drawn) }));

describe('maxDiffering', () => {
  test.each([
    [60, 4_000, 0.95, 0.05],
    [300, 1_000_000, 0.95, 0.01],
    [300, 2_000, 0.95, 0.01],
    [461, 1_000_000, 0.99, 0.01],
  ])(
    '%d equal units of %d support, with confidence %d, that at most a share of %d differ',
    (drawn, of, confidence, share) => {
      // The rule of three.
      expect(maxDiffering([{ drawn, of }], confidence)).toBeLessThanOrEqual(share * of);
    },
  );

  test('is never exceeded by differing units that a sample misses more often than the confidence allows, and the sentence claims no more', () => {
    fc.assert(
      fc.property(
        fc.array(sampled, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0.5, 0.9, 0.95, 0.99),
        (strata, confidence) => {
          const most = maxDiffering(strata, confidence);
          const all = strata.reduce((sum, { of }) => sum + of, 0);
          if (most < all) expect(worstMiss(strata, most + 1)).toBeLessThanOrEqual(1 - confidence + 1e-12);
          const sentence = statementOf(strata, confidence, 'range');
          const [, percent, count] = / most ([\d.]+)% of the ranges differ \((\d+)\)/.exec(sentence) ?? [];
          if (sentence.includes('none differs'))
            expect(strata.every(({ drawn, of }) => drawn === of)).toBe(true);
          else expect([Number(percent) >= (100 * most) / all - 1e-9, Number(count)]).toEqual([true, most]);
        },
      ),
    );
  });
});

describe('statementOf', () => {
  test.each([
    [[[300, 61_000]], '300 of 300 ranges drawn from 61,000 were equal: with 95% confidence at most 1% of'],
    [[[300, 61_000]], 'the ranges differ (607).'],
    // Certain only if every unit was compared.
    [
      [
        [3, 3],
        [2, 2],
      ],
      '5 of 5 ranges drawn from 5 were equal: none differs.',
    ],
    [
      [
        [3, 3],
        [1, 2],
      ],
      'at most',
    ],
    [[[0, 7]], 'at most 100% of the ranges differ (7)'],
  ])('of %j (drawn, of) says what was drawn and what that supports: %s', (strata, words) => {
    const drawn = strata.map(([drawn = 0, of = 0]) => ({ drawn, of }));
    expect(statementOf(drawn, 0.95, 'range')).toContain(words);
  });
});

const POLYGON = chainOf('POLYGON');

/** Ranges of one day each from a date on. */
const rowsFrom = (date: string, count: number): ArchiveRow[] =>
  Array.from({ length: count }, (_, index) => {
    const first = 1_000_000 + index;
    return { line: index + 2, date: addDays(date, index), first, last: first, totals: NO_TOTALS };
  });

describe('drawRows', () => {
  test('gives each stratum its share and at least ten, or all that it has', () => {
    // Four days of 2020, 365 of 2021 and 31 of 2022.
    const { strata } = drawRows(POLYGON, rowsFrom('2020-12-28', 400), {
      draws: [{ seed: 'a', ranges: 40, days: 0 }],
      equal: [],
    });
    expect(strata.map(({ drawn }) => drawn)).toEqual([4, 37, 10]);
    const rows = rowsFrom('2024-03-10', 5);
    const { strata: ofForks } = drawRows(chainOf('ETHEREUM'), rows, { draws: [], equal: [] });
    expect(ofForks[1]?.name).toMatch(/^2024 after 1 of \d forks$/);
  });

  test('never draws fewer than wanted while there are enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 200 }), (count, ranges) => {
        const { left } = drawRows(POLYGON, rowsFrom('2020-10-01', count), {
          draws: [{ seed: 'a', ranges, days: 0 }],
          equal: [],
        });
        expect(left.length).toBeGreaterThanOrEqual(Math.min(count, ranges));
      }),
    );
  });

  test('adds a second draw to the first, and never takes one back', () => {
    const rows = rowsFrom('2020-10-01', 400);
    const first = { seed: 'a', ranges: 20, days: 0 };
    const once = drawRows(POLYGON, rows, { draws: [first], equal: [] });
    const twice = drawRows(POLYGON, rows, { draws: [first, { ...first, seed: 'b' }], equal: [] });
    expect(twice.left).toEqual(expect.arrayContaining(once.left));
    expect(twice.left.length).toBe(2 * once.left.length);
  });
});

describe('the draw', () => {
  test('follows from the file and the block alone, and another of either gives another draw', () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    const lowest = (seed: string) => drawUnits(seed, numbers, 5, String);
    const draw = lowest(seedOf('file', 'block'));
    expect(lowest(seedOf('file', 'block'))).toEqual(draw);
    expect(lowest(seedOf('file', 'later block'))).not.toEqual(draw);
    expect(lowest(seedOf('file with one more byte', 'block'))).not.toEqual(draw);
    expect(new Set(draw).size).toBe(5);
  });

  test('gives each unit the same chance', () => {
    const hits = Array.from({ length: 20 }, () => 0);
    for (let run = 0; run < 4_000; run++) {
      for (const unit of drawUnits(`seed ${run}`, [...hits.keys()], 5, String))
        hits[unit] = (hits[unit] ?? 0) + 1;
    }
    // 1,000 hits each, with a deviation of 27.
    expect(Math.min(...hits)).toBeGreaterThan(860);
    expect(Math.max(...hits)).toBeLessThan(1_140);
  });
});
