import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreezerRange } from '#core/blocks/freezer/range.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import {
  copyFreezer,
  freezerOf,
  removeIndexes,
  sumFreezer,
} from '#test/support/generators/files/freezer-scene.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { randomChain } from '#test/support/generators/random/random-chain.ts';

const ETHEREUM = chainOf('ETHEREUM');
const NAMES = ['chain', 'chain-two-files', 'chain-pruned-tail'] as const;

interface Expected {
  readonly number: number;
  readonly hash: string;
  readonly transactions: number;
  readonly executionFees: string;
}
const expected: readonly Expected[] = JSON.parse(readFileSync('test/fixtures/freezer/expected.json', 'utf8'));

test.each(NAMES)('the real freezer %s has the figures that another reader found', async (name) => {
  const [sums] = await sumFreezer(copyFreezer(name), ETHEREUM);
  const own = expected.slice(name === 'chain-pruned-tail' ? 17 : 0);
  expect(sums?.problem).toBeUndefined();
  expect([sums?.first, sums?.count]).toEqual([own[0]?.number, own.length]);
  expect(sums?.days.at(-1)?.last?.hash).toBe(own.at(-1)?.hash);
  const fees = sums?.days.reduce((sum, { totals }) => sum + totals.fees.execution, 0n);
  expect(fees).toBe(own.reduce((sum, { executionFees }) => sum + BigInt(executionFees), 0n));
  const counted = sums?.days.reduce((sum, { totals }) => sum + totals.transactions, 0);
  expect(counted).toBe(own.reduce((sum, { transactions }) => sum + transactions, 0));
});

test.each([
  ['as geth writes it', 'c3028042'],
  ['padded with zeros, as geth does since v1.17.9', 'c3028042'.padEnd(64, '0')],
])('while the node runs, nothing behind the flushed part of an index is read: %s', async (_, meta) => {
  const folder = copyFreezer('chain');
  // Version 2, no tail, 11 entries: ten blocks.
  for (const table of ['headers', 'bodies', 'receipts'])
    writeFileSync(join(folder, `${table}.meta`), Buffer.from(meta, 'hex'));
  const { first, last } = await findFreezerRange(folder, ETHEREUM);
  expect([first, last]).toEqual([0, 9]);
});

test.each(['bsc', 'polygon', 'op-stack', 'arbitrum'] as const)(
  'random blocks of %s are proven with exact figures, with and without indexes',
  async (family) => {
    let compared = 0;
    for (const seed of [1, 2]) {
      const span = { firstDay: '2026-01-01', days: 5 };
      const { chain, blocks, expected: days } = await randomChain(family, randomFrom(seed), span);
      const provable = blocks.filter(
        ({ header }) => unprovenOf(chain.rules, Number(header.number)) === undefined,
      );
      const first = Number(provable[0]?.header.number);
      const folder = freezerOf(chain, provable, { maxBytes: 4_000, first });
      const indexed = await sumFreezer(folder, chain);
      removeIndexes(folder);
      expect(await sumFreezer(folder, chain)).toEqual(indexed);
      for (const sums of indexed) {
        expect(sums.problem).toBeUndefined();
        for (const { day, totals } of sums.days) {
          const of = days.get(day);
          // The first day of a fork has blocks that cannot be proven.
          if (of?.blocks !== totals.blocks) continue;
          const { blocks: _, ...figures } = totals;
          expect(of).toMatchObject(figures);
          compared += totals.transactions;
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  },
);

test('what a chain cannot prove is said at once', async () => {
  const notesOf = async (family: 'op-stack' | 'arbitrum') => {
    const span = { firstDay: '2026-01-01', days: 3 };
    const { chain, blocks } = await randomChain(family, randomFrom(1), span);
    const provable = blocks.filter(
      ({ header }) => unprovenOf(chain.rules, Number(header.number)) === undefined,
    );
    const { first, last, notes } = await findFreezerRange(
      freezerOf(chain, provable),
      chainOf(chain.name as ChainName),
    );
    expect(last).toBeLessThan(first);
    return notes.join();
  };
  expect(await notesOf('op-stack')).toMatch(/cannot be proven: before Bedrock \(block 105235063\)/);
  expect(await notesOf('arbitrum')).toMatch(/cannot be proven: before Nitro \(block 22207818\)/);
});

test('without the table of state-syncs, the older blocks of Polygon are not offered', async () => {
  const span = { firstDay: '2026-01-01', days: 3 };
  const { chain, blocks } = await randomChain('polygon', randomFrom(2), span);
  const folder = freezerOf(chain, blocks);
  const polygon = chainOf('POLYGON');
  expect((await findFreezerRange(folder, polygon)).notes).toEqual([]);
  for (const file of ['cidx', 'meta', '0000.cdat']) rmSync(join(folder, `matic-bor-receipts.${file}`));
  const { first, last, notes } = await findFreezerRange(folder, polygon);
  expect(last).toBeLessThan(first);
  expect(notes.join()).toContain('the table matic-bor-receipts is missing');
});
