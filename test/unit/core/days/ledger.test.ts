import { createLedger } from '#core/days/ledger.ts';
import { reportedBy } from '#core/figures/block.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCheckpoint } from '#core/store/days/checkpoints.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { store } = useMemoryStore('ETHEREUM');
const stored = () => getCheckpoint(store(), DAY);
const begun = startDayProgress(DAY, { number: 0, hash: hashOf(0) });
const block = (number: number) => summedBlock(sampleBlocks, number, 'a.example');

/** Opens the ledger of the stored checkpoint. */
async function open() {
  const checkpoint = await stored();
  return createLedger(store(), checkpoint, checkpoint.progress ?? begun);
}
const blocksIn = async () => {
  const { progress, anchored } = await stored();
  return [progress?.totals.blocks, anchored?.totals.blocks];
};

test('returns to the sums of the last anchored block, also in a later run', async () => {
  const first = await open();
  first.count(block(1));
  first.anchor(reportedBy(['a.example']));
  first.count(block(2));
  expect(first.isAnchored()).toBe(false);
  await first.save();
  expect(await blocksIn()).toEqual([2, 1]);
  const second = await open();
  second.count(block(3));
  second.retreat();
  expect(second.progress().totals.blocks).toBe(1);
  expect(second.isAnchored()).toBe(true);
  await second.save();
  expect(await blocksIn()).toEqual([1, 1]);
});

test('discards everything when no block is anchored, or the anchored one is wrong', async () => {
  const ledger = await open();
  ledger.count(block(1));
  ledger.retreat();
  await ledger.save();
  expect(await blocksIn()).toEqual([undefined, undefined]);
  ledger.count(block(1));
  ledger.anchor(reportedBy(['a.example']));
  await ledger.save();
  ledger.retreat();
  await ledger.save();
  expect(await stored()).toEqual({ day: DAY, sequence: 2 });
});
