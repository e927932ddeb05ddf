import fc from 'fast-check';
import {
  type AggregatorReading,
  dollarAmount,
  dollarsOf,
  joinDollars,
  noDollars,
  type PriceUpdate,
  priceAmount,
  priceDay,
  readingsAround,
  sumOfDollars,
} from '#core/figures/dollars.ts';

const MAX_AGE = 100;
const SOURCE = { aggregator: '0x12', maxAge: MAX_AGE };
const NO_DOLLARS = noDollars(SOURCE);
const update = (round: number, updatedAt: number, answer = 200n): PriceUpdate => ({
  answer,
  round: BigInt(round),
  updatedAt,
});

const hashAt = (number: number) => `0x${number}`;

interface Block {
  readonly number: number;
  readonly hash: string;
  readonly timestamp: number;
  readonly fees: bigint;
  readonly updates: readonly PriceUpdate[];
}

/** Blocks one to ten seconds apart, some of which have fees and some prices. The price before them has round 0 and time 0. */
const anyBlocks: fc.Arbitrary<readonly Block[]> = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 60 }),
      fees: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 24n })),
      answers: fc.array(fc.bigInt({ min: 100n, max: 999n }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((given) => {
    let [timestamp, round] = [0, 0];
    return given.map(({ pause, fees, answers }, number) => {
      timestamp += pause;
      const updates = answers.map((answer) => update(++round, timestamp, answer));
      return { number, hash: hashAt(number), timestamp, fees, updates };
    });
  });

const START = update(0, 0);

const readingAt = (number: number, aggregator = '0x12', evidence: 'proven' | 'reported' = 'proven') =>
  ({ number, hash: hashAt(number), aggregator, evidence }) satisfies AggregatorReading;

/** Days begin after block -1 and end before block 100. */
const around = (start: PriceUpdate | undefined = START, readings = [readingAt(-1), readingAt(100)]) => ({
  start,
  readings,
  before: -1,
  last: 99,
});

/** The sum by another way: each block looks for its own price. */
function expected(blocks: readonly Block[]): bigint | undefined {
  const all = [START, ...blocks.flatMap(({ updates }) => updates)];
  if (all.length === 1) return undefined;
  let sum = 0n;
  for (const [index, block] of blocks.entries()) {
    const known = blocks.slice(0, index).reduce((count, { updates }) => count + updates.length, 1);
    const price = all[known - 1] as PriceUpdate;
    if (block.fees > 0n && block.timestamp - price.updatedAt > MAX_AGE) return undefined;
    sum += block.fees * price.answer;
  }
  return sum;
}

const join = (parts: readonly ReturnType<typeof dollarsOf>[]) =>
  parts.reduce((sum, part) => joinDollars(sum, part), NO_DOLLARS);

test('each block is priced by the last update of an earlier block, however its sums are joined', () => {
  fc.assert(
    fc.property(anyBlocks, fc.nat({ max: 12 }), (blocks, cut) => {
      const parts = blocks.map((block) => dollarsOf(SOURCE, block));
      const halves = [join(parts.slice(0, cut)), join(parts.slice(cut))] as const;
      const whole = join(parts);
      // Which of several doubts is named depends on the parts.
      const joined = joinDollars(...halves);
      expect({ ...joined, doubt: joined.doubt !== undefined }).toEqual({
        ...whole,
        doubt: whole.doubt !== undefined,
      });
      const dollars = expected(blocks);
      expect(priceDay(whole, around())).toEqual(
        dollars === undefined
          ? { kind: 'not priced', reason: expect.any(String) }
          : { kind: 'priced', dollars, evidence: 'proven' },
      );
    }),
    { numRuns: 1_000 },
  );
});

test('blocks without fees and prices change no sum', () => {
  const empty = dollarsOf(SOURCE, { number: 1, hash: hashAt(1), timestamp: 60, fees: 0n, updates: [] });
  expect(empty).toEqual(NO_DOLLARS);
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const sums = join(blocks.map((block) => dollarsOf(SOURCE, block)));
      for (const none of [NO_DOLLARS, empty]) {
        expect(joinDollars(sums, none)).toEqual(sums);
        expect(joinDollars(none, sums)).toEqual(sums);
      }
    }),
  );
});

test('a day needs no price from before it if no fees were paid up to its first price', () => {
  const priceOnly = { number: 1, hash: hashAt(1), timestamp: 10, fees: 0n, updates: [update(1, 10)] };
  const paid = { number: 2, hash: hashAt(2), timestamp: 20, fees: 3n, updates: [] };
  const sums = join([dollarsOf(SOURCE, priceOnly), dollarsOf(SOURCE, paid)]);
  expect(priceDay(sums, { ...around(), start: undefined })).toMatchObject({ kind: 'priced', dollars: 600n });
});

const day = (...updates: readonly PriceUpdate[]) =>
  join(
    updates.map((one, number) =>
      dollarsOf(SOURCE, { number, hash: hashAt(number), timestamp: one.updatedAt, fees: 1n, updates: [one] }),
    ),
  );

/** One block that records all of these prices. */
const blockWith = (...updates: readonly PriceUpdate[]) =>
  dollarsOf(SOURCE, { number: 0, hash: hashAt(0), timestamp: 10, fees: 1n, updates });

test.each([
  [
    'a round is left out within a block',
    blockWith(update(1, 10), update(2, 10), update(4, 10)),
    START,
    'gap: round 4 follows round 2',
  ],
  ['a round is left out', day(update(1, 10), update(3, 20)), START, 'gap: round 3 follows round 1'],
  ['a round comes twice', day(update(1, 10), update(1, 20)), START, 'gap: round 1 follows round 1'],
  ['the price before the day is of another round', day(update(5, 10)), START, 'gap: round 5 follows round 0'],
  [
    'the price jumps',
    day(update(1, 10), update(2, 20, 2_001n)),
    START,
    'jump: the price went from 200 to 2001 in round 2',
  ],
  [
    'the price falls to nothing',
    day(update(1, 10), update(2, 20, 19n)),
    START,
    'jump: the price went from 200 to 19 in round 2',
  ],
  [
    'the feed falls silent',
    day(update(1, 10), update(2, 111)),
    START,
    'stale: the price of round 1 was 101 seconds old, and at most 100 count',
  ],
  [
    'nothing is known before the day',
    day(update(1, 10)),
    undefined,
    'no start: the last price before the day is not known',
  ],
  ['no price is recorded', NO_DOLLARS, START, 'no price: the feed recorded none on the day'],
])('a day has no dollars when %s', (_, sums, start, reason) => {
  expect(priceDay(sums, { ...around(), start })).toEqual({ kind: 'not priced', reason });
});

test.each([
  ['rises tenfold', 2_000n],
  ['falls to a tenth', 20n],
])('a day has dollars when the price %s', (_, answer) => {
  const sums = day(update(1, 10), update(2, 20, answer));
  // Of the two wei, one is paid before the first price, and one before the second.
  expect(priceDay(sums, around())).toEqual({ kind: 'priced', dollars: 2n * 200n, evidence: 'proven' });
});

describe('readings around a day', () => {
  const priced = (...readings: readonly AggregatorReading[]) =>
    priceDay(day(update(1, 10)), around(START, [...readings]));
  test.each([
    ['none before', [readingAt(100)], 'no state'],
    ['none after', [readingAt(-1), readingAt(98)], 'no state'],
    [
      'another one before',
      [readingAt(-1, '0x34'), readingAt(100)],
      'changed: the feed uses 0x34 at block -1',
    ],
    ['another one within', [readingAt(-1), readingAt(5, '0x34'), readingAt(99)], 'changed'],
    ['another one after', [readingAt(-1), readingAt(120, '0x34')], 'changed'],
  ])('%s leaves it without dollars', (_, readings, reason) => {
    expect(priced(...readings)).toEqual({ kind: 'not priced', reason: expect.stringMatching(`^${reason}`) });
  });

  test('the nearest ones count, in any order, and one that is reported weakens them all', () => {
    const all = [readingAt(120, '0x34'), readingAt(101), readingAt(-1), readingAt(-9, '0x34')];
    expect(priced(...all)).toMatchObject({ kind: 'priced', evidence: 'proven' });
    expect(priced(...all, readingAt(50, '0x12', 'reported'))).toMatchObject({ evidence: 'reported' });
    expect(readingsAround({ readings: all, before: -1, last: 99 })).toEqual([readingAt(-1), readingAt(101)]);
  });

  test('are two, even if no block is between them', () => {
    const none = { before: 5, last: 5 };
    expect(readingsAround({ ...none, readings: [readingAt(5)] })).toBeUndefined();
    expect(readingsAround({ ...none, readings: [readingAt(5), readingAt(6)] })).toHaveLength(2);
  });

  test('count with the block of that number and that hash', () => {
    const readingsOf = (number: number, hash: string) =>
      dollarsOf({ ...SOURCE, reading: readingAt(5) }, { number, hash, timestamp: 1, fees: 0n, updates: [] })
        .readings;
    expect(readingsOf(5, hashAt(5))).toEqual([readingAt(5)]);
    expect(readingsOf(5, hashAt(6))).toEqual([]);
    expect(readingsOf(6, hashAt(5))).toEqual([]);
  });
});

test('an amount has all its digits, and no more', () => {
  expect(dollarAmount(630_000_000_000_000n * 114_212_643n)).toBe('0.0007195396509');
  // Chainlink states dollars times 10⁸.
  expect(priceAmount(update(1, 10, 114_212_643n))).toBe('1.14212643');
});

test('the dollars of a period are those of its days, and unknown if those of one day are', () => {
  expect(sumOfDollars(['1.5', '0.00000000000000000000000001', '20'])).toBe('21.50000000000000000000000001');
  expect(sumOfDollars([])).toBe('0');
  expect(sumOfDollars(['1.5', undefined])).toBeUndefined();
});
