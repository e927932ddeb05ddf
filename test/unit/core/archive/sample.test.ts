import fc from 'fast-check';
import {
  allocate,
  detectable,
  lowestRanks,
  rankOf,
  type Sampled,
  seedOf,
  statementOf,
} from '#core/archive/sample.ts';

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

describe('detectable', () => {
  test.each([
    [59, 4_000, 0.95, 0.05],
    [299, 1_000_000, 0.95, 0.01],
    [288, 4_000, 0.95, 0.01],
    [225, 500, 0.95, 0.01],
    [459, 1_000_000, 0.99, 0.01],
    [83, 500, 0.99, 0.05],
  ])(
    '%d equal units of %d support, with confidence %d, that fewer than a share of %d differ',
    (drawn, of, confidence, share) => {
      // The table of sample sizes that the rule of three approximates.
      expect(detectable([{ drawn, of }], confidence)).toBeLessThanOrEqual(Math.ceil(share * of) + 1);
      expect(detectable([{ drawn: drawn - 6, of }], confidence)).toBeGreaterThan(share * of);
    },
  );

  test('is the smallest number that no spread over strata hides more often than the confidence allows', () => {
    fc.assert(
      fc.property(
        fc.array(sampled, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0.5, 0.9, 0.95, 0.99),
        (strata, confidence) => {
          const found = detectable(strata, confidence);
          const all = strata.reduce((sum, { of }) => sum + of, 0);
          if (found <= all) expect(worstMiss(strata, found)).toBeLessThanOrEqual(1 - confidence + 1e-12);
          if (found > 1) expect(worstMiss(strata, found - 1)).toBeGreaterThan(1 - confidence - 1e-6);
        },
      ),
    );
  });
});

describe('statementOf', () => {
  test('says what was drawn and what that supports', () => {
    expect(statementOf([{ drawn: 300, of: 61_000 }], 0.95, 'range')).toBe(
      '300 of 300 ranges drawn from 61,000 were equal: with 95 % confidence at most 1 % of the ranges differ (604).',
    );
  });

  test('is certain only if every unit was compared', () => {
    expect(
      statementOf(
        [
          { drawn: 3, of: 3 },
          { drawn: 2, of: 2 },
        ],
        0.95,
        'day',
      ),
    ).toBe('5 of 5 days drawn from 5 were equal: none differs.');
    expect(
      statementOf(
        [
          { drawn: 3, of: 3 },
          { drawn: 1, of: 2 },
        ],
        0.95,
        'day',
      ),
    ).toContain('at most');
  });

  test('claims nothing about units of which none was drawn', () => {
    expect(statementOf([{ drawn: 0, of: 7 }], 0.95, 'range')).toContain(
      'at most 100 % of the ranges differ (7)',
    );
  });
});

describe('allocate', () => {
  test('gives each stratum its share and at least ten, or all that it has', () => {
    const left = new Map([
      ['2023', 9_000],
      ['2024', 900],
      ['2025', 4],
    ]);
    expect([...allocate(left, 300)]).toEqual([
      ['2023', 273],
      ['2024', 28],
      ['2025', 4],
    ]);
    expect(
      allocate(
        new Map([
          ['2023', 9_000],
          ['2024', 90],
        ]),
        60,
      ).get('2024'),
    ).toBe(10);
  });

  test('never draws fewer than wanted while there are enough', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        (sizes, wanted) => {
          const drawn = [
            ...allocate(new Map(sizes.map((size, index) => [String(index), size])), wanted).values(),
          ];
          const sum = (of: readonly number[]) => of.reduce((total, one) => total + one, 0);
          expect(sum(drawn)).toBeGreaterThanOrEqual(Math.min(wanted, sum(sizes)));
        },
      ),
    );
  });
});

describe('the draw', () => {
  test('follows from the file and the block alone, and another of either gives another draw', () => {
    const lowest = (seed: string) => {
      const ranks = lowestRanks<number>(5);
      for (let first = 0; first < 1_000; first++) ranks.add(rankOf(seed, first), first);
      return ranks.end();
    };
    const draw = lowest(seedOf('file', 'block'));
    expect(lowest(seedOf('file', 'block'))).toEqual(draw);
    expect(lowest(seedOf('file', 'later block'))).not.toEqual(draw);
    expect(lowest(seedOf('file with one more byte', 'block'))).not.toEqual(draw);
    expect(new Set(draw).size).toBe(5);
  });

  test('keeps the lowest ranks in any order of the units', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 20 }),
        (units, count) => {
          const ranks = lowestRanks<number>(count);
          for (const unit of units) ranks.add(rankOf('seed', unit), unit);
          const sorted = units.toSorted((a, b) => (rankOf('seed', a) < rankOf('seed', b) ? -1 : 1));
          expect(ranks.end()).toEqual(sorted.slice(0, count));
        },
      ),
    );
  });

  test('gives each unit the same chance', () => {
    const hits = Array.from({ length: 20 }, () => 0);
    for (let run = 0; run < 4_000; run++) {
      const ranks = lowestRanks<number>(5);
      for (let unit = 0; unit < 20; unit++) ranks.add(rankOf(`seed ${run}`, unit), unit);
      for (const unit of ranks.end()) hits[unit] = (hits[unit] ?? 0) + 1;
    }
    // 1,000 hits each, with a deviation of 27.
    expect(Math.min(...hits)).toBeGreaterThan(860);
    expect(Math.max(...hits)).toBeLessThan(1_140);
  });
});
