import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { refreshCoverage } from '../../lambda/store/coverage.ts';
import type { DayFigures, Provenance } from '../../lambda/store/day-item.ts';
import { putDay } from '../../lambda/store/days.ts';
import { provenance } from '../support/builders.ts';
import { startInProcessTable } from '../support/in-process-table.ts';
import { randomFrom } from '../support/random.ts';
import { type RandomChain, randomChain } from '../support/random-chain.ts';
import { oracleOf, ViolationError } from './oracle.ts';
import { type Survived, simulate } from './simulate.ts';

/*
 * Random chains with faults, crashes, concurrent runs and jumping clocks. `npm run simulate` does the same for any length. A
 * failure names the command that reproduces it.
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
      'shows only exact figures at any time, and is complete after the faults stop',
      async () => {
        await fc.assert(
          fc.asyncProperty(chances, async (chance) => {
            await simulate({ family, ...chance });
          }),
          { numRuns: 6 },
        );
      },
      A_WHILE,
    );
  },
);

test('the same seed gives the same simulation', async () => {
  const twice = (): Promise<Survived> => simulate({ family: 'bsc', seed: 7, days: 4, rate: 0.15 });
  expect(await twice()).toEqual(await twice());
});

describe('the oracle', () => {
  let chain: RandomChain;
  let right: DayFigures;
  let proven: Provenance;
  beforeAll(async () => {
    chain = await randomChain('bsc', randomFrom(1), { firstDay: '2026-01-01', days: 3 });
    const expected = chain.expected.get('2026-01-02') ?? never('the second day');
    const { first, last, provenBlocks, ...totals } = expected;
    right = { day: '2026-01-02', totals, first, last, definitionVersion: 1 };
    proven = provenance({ evidence: 'proven', provenBlocks, confirmedBy: ['a.test'] });
  });
  const looking = async (figures: DayFigures, stored = proven) => {
    const { table } = await startInProcessTable();
    await putDay(chainStore(table, chain.chain.name), figures, stored);
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
    ['another last block', ({ last, ...day }) => ({ ...day, last: { ...last, number: last.number + 1 } })],
    ['a day that the chain does not have', (day) => ({ ...day, day: '2026-02-01' })],
  ])('finds %s and remembers it', async (_, change) => {
    const figures = change(right);
    const { oracle } = await looking(figures);
    await expect(oracle.checkDay(figures.day)).rejects.toThrow(`${figures.day} is visible as`);
    await expect(oracle.checkCoverage()).rejects.toThrow(ViolationError);
  });

  test('finds a day that is not proven, or whose end nobody confirmed', async () => {
    const { oracle } = await looking(right, { ...proven, evidence: 'checked' });
    await expect(oracle.checkDay(right.day)).rejects.toThrow('is visible as');
    const unconfirmed = await looking(right, { ...proven, confirmedBy: [] });
    await expect(unconfirmed.oracle.checkDay(right.day)).rejects.toThrow('nobody confirmed');
  });

  test('finds a coverage that includes a missing day', async () => {
    const { table, oracle } = await looking(right);
    await refreshCoverage(chainStore(table, chain.chain.name), right.day);
    await oracle.checkCoverage();
    const Key = { chain: chain.chain.name, date: right.day };
    await table.documents.send(new DeleteCommand({ TableName: table.name, Key }));
    await expect(oracle.checkCoverage()).rejects.toThrow(
      'the coverage includes 2026-01-02, which is missing',
    );
  });
});

test('a failure names the command that reproduces it', async () => {
  const broken = simulate({ family: 'bsc', seed: 5, days: 0, rate: 0.15 });
  await expect(broken).rejects.toThrow('npm run simulate -- --family bsc --days 0 --seed 5 --rate 0.15');
});

function never(what: string): never {
  throw new Error(`${what} is missing`);
}
