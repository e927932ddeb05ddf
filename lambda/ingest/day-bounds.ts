import type { SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { addDays, dayOf, later, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import { getDay } from '../store/days.ts';
import { OrphanedBlockError } from './confirmed-blocks.ts';
import { crossCheck } from './cross-check.ts';
import type { Source } from './endpoint-probe.ts';
import { findFirstBlock } from './first-block.ts';
import { startProgress } from './progress.ts';
import { readHeader } from './read-block.ts';

/**
 * Where a day's blocks begin: after the day before, where that is final, else where the timestamps say.
 * @returns the progress of a later day when the chain does not reach back so far
 */
export async function beginDay(source: Source, store: ChainStore, day: UtcDay): Promise<Progress> {
  const { chain, head } = source;
  const dayBefore = await getDay(store, addDays(day, -1));
  if (dayBefore) return startProgress(day, dayBefore.last);
  const { first, before } = await findFirstBlock(chain.name, startOfDay(day), head, (number, check) =>
    readHeader(source, number, { check }),
  );
  if (before) await lookAgain(source, before);
  await lookAgain(source, first);
  // Before genesis there is nothing to count, not even a zero: the chain's own first day is the first that can be.
  return startProgress(before ? day : later(day, dayOf(first.timestamp)), before);
}

/**
 * Where a day ends is decided by two timestamps, and all that was counted hangs on the hash of its last block: so both
 * are looked at again.
 * @param next the first block of a later day
 * @throws OrphanedBlockError when the day's last block is not what it was; BlockError when the next one is not
 */
export async function checkEnd(source: Source, { first, last }: Progress, next: SeenBlock): Promise<void> {
  // On a day without blocks the last one belongs to a day before, and was looked at then.
  if (first && last && (await crossCheck(source, last)) === 'orphaned') {
    throw new OrphanedBlockError(source.chain.name, last);
  }
  await lookAgain(source, next);
}

async function lookAgain(source: Source, block: SeenBlock): Promise<void> {
  if ((await crossCheck(source, block)) === 'canonical') return;
  throw new BlockError(
    { chain: source.chain.name, block: block.number },
    `told of as ${block.hash} at ${block.timestamp} by ${block.host}, which nobody confirms`,
  );
}
