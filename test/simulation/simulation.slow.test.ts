import fc from 'fast-check';
import { reportedBy } from '#core/figures/block.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { bucketOf } from '#core/figures/fee-buckets.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { chainStore } from '#core/store/table/table.ts';
import { provenance } from '#test/support/generators/blocks/builders.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';
import { putDay } from '#test/support/tables/put-day.ts';
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

test('the oracle accepts an exact day, and finds a wei too few in a day or in one of its hours', async () => {
  const chain = await randomChain('bsc', randomFrom(1), { firstDay: '2026-01-01', days: 3 });
  const expected = chain.expected.get('2026-01-02');
  if (!expected) throw new Error('the second day is missing');
  const { parentHash, first, last, provenBlocks, isStartHashed: _, hours, feeCounts, ...totals } = expected;
  const bucketed = new Map([...feeCounts].map(([from, count]) => [bucketOf(from), count]));
  const right = { day: '2026-01-02', totals, parentHash, first, last, definitionVersion: 1 };
  const proven = provenance({ evidence: 'proven', provenBlocks, finality: reportedBy(['a.test']) });
  const looking = async (figures: DayFigures, shown = hours) => {
    const table = memoryTable();
    await putDay(chainStore(table, chain.chain), figures, proven, { hours: shown, feeCounts: bucketed });
    return oracleOf(chain, table);
  };
  await (await looking(right)).checkDay(right.day);
  const oneLess = { ...totals, fees: { ...totals.fees, execution: totals.fees.execution - 1n } };
  const oracle = await looking({ ...right, totals: oneLess });
  await expect(oracle.checkDay(right.day)).rejects.toThrow(`${right.day} is visible as`);
  await expect(oracle.checkCoverage()).rejects.toThrow(ViolationError);
  const oneWei = { ...NO_TOTALS, fees: { ...NO_FEES, execution: 1n } };
  await expect((await looking(right, hours.with(3, oneWei))).checkDay(right.day)).rejects.toThrow(
    'visible as',
  );
});
