import fc from 'fast-check';
import { reportedBy } from '#core/figures/block.ts';
import type { DayDetails, DayFigures, Provenance } from '#core/figures/day-figures.ts';
import { bucketOf, countFees } from '#core/figures/fee-buckets.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { putDay } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { type RandomChain, randomChain } from '#test/support/generators/random/random-chain.ts';
import { memoryTable } from '#test/support/tables/table.ts';
import { oracleOf, ViolationError } from './oracle.ts';
import { simulate } from './simulate.ts';
import { watch } from './watch.ts';

/*
 * Random chains with faults, crashes, concurrent runs and jumping clocks. Each run of the tests has the same ones, so that a
 * failure points to the last change; `npm run simulate` makes new ones. A failure names the command that reproduces it.
 */

/** Generous, because a test that times out would continue beside the next one. */
const A_WHILE = 300_000;

const chances = fc.record({
  seed: fc.nat(),
  days: fc.integer({ min: 1, max: 8 }),
  rate: fc.constantFrom(0.02, 0.15, 0.15),
});

describe.each(['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'] as const)(
  'a chain of the %s family',
  (family) => {
    test(
      'shows only exact figures at any time, and is complete in time once nothing but a liar is left',
      async () => {
        await fc.assert(
          fc.asyncProperty(chances, async (chance) => {
            await simulate({ family, ...chance });
            await watch({ family, ...chance });
          }),
          { numRuns: 1, seed: 1 },
        );
      },
      A_WHILE,
    );
  },
);

test('no honest host is suspected of a block that it could not continue at the moment', async () => {
  // Its connection breaks while the only other host, a liar, contradicts it.
  await simulate({ family: 'ethereum', seed: 80, days: 10, rate: 0.15 });
});

test('the same seed gives the same simulation', async () => {
  const scenario = { family: 'bsc', seed: 8, days: 4, rate: 0.15 } as const;
  expect(await simulate(scenario)).toEqual(await simulate(scenario));
  expect(await watch(scenario)).toEqual(await watch(scenario));
});

const oneWei = { ...NO_TOTALS, fees: { ...NO_FEES, execution: 1n } };

describe('the oracle', () => {
  let chain: RandomChain;
  let right: DayFigures;
  let details: DayDetails;
  let proven: Provenance;
  beforeAll(async () => {
    chain = await randomChain('bsc', randomFrom(1), { firstDay: '2026-01-01', days: 3 });
    const expected = chain.expected.get('2026-01-02') ?? never('the second day');
    const { parentHash, first, last, provenBlocks, isStartHashed: _, hours, feeCounts, ...totals } = expected;
    const bucketed = new Map([...feeCounts].map(([from, count]) => [bucketOf(from), count]));
    details = { hours, feeCounts: bucketed };
    right = { day: '2026-01-02', totals, parentHash, first, last, definitionVersion: 1 };
    proven = provenance({ evidence: 'proven', provenBlocks, finality: reportedBy(['a.test']) });
  });
  const looking = async (figures: DayFigures, stored = proven, counted = details) => {
    const table = memoryTable();
    await putDay(chainStore(table, chain.chain), figures, stored, counted);
    return { table, oracle: oracleOf(chain, table) };
  };

  test('accepts an exact day', async () => {
    const { oracle } = await looking(right);
    await oracle.checkDay(right.day);
    expect(await oracle.whatIsMissing()).toBe('days 2026-01-01, 2026-01-03');
  });

  test.each<[string, (day: DayFigures) => DayFigures]>([
    [
      'one transaction too many',
      ({ totals, ...day }) => ({ ...day, totals: { ...totals, transactions: totals.transactions + 1 } }),
    ],
    [
      'one wei too few',
      ({ totals, ...day }) => ({ ...day, totals: { ...totals, fees: { ...totals.fees, execution: -1n } } }),
    ],
    ['another parent', (day) => ({ ...day, parentHash: hashOf('another') })],
    ['another last block', ({ last, ...day }) => ({ ...day, last: { ...last, number: last.number + 1 } })],
    ['a day that the chain does not have', (day) => ({ ...day, day: '2026-02-01' })],
  ])('finds %s and remembers it', async (_, change) => {
    const figures = change(right);
    const { oracle } = await looking(figures);
    await expect(oracle.checkDay(figures.day)).rejects.toThrow(`${figures.day} is visible as`);
    await expect(oracle.checkCoverage()).rejects.toThrow(ViolationError);
  });

  test.each<[string, (right: DayDetails) => DayDetails]>([
    ['an hour with one wei too many', ({ hours, ...rest }) => ({ ...rest, hours: hours.with(3, oneWei) })],
    ['one fee too many', (given) => ({ ...given, feeCounts: countFees(given.feeCounts, [700]) })],
  ])('finds %s', async (_, change) => {
    const { oracle } = await looking(right, proven, change(details));
    await expect(oracle.checkDay(right.day)).rejects.toThrow('is visible as');
  });
});

test('a failure names the command that reproduces it', async () => {
  const broken = simulate({ family: 'bsc', seed: 5, days: 0, rate: 0.15 });
  await expect(broken).rejects.toThrow('npm run simulate -- --family bsc --days 0 --seed 5 --rate 0.15');
});

function never(what: string): never {
  throw new Error(`${what} is missing`);
}
