import type { SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { addDays, dayOf, later, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import { getDay } from '../store/days.ts';
import { crossCheck } from './cross-check.ts';
import type { Source } from './endpoint-probe.ts';
import { findFirstBlock } from './first-block.ts';
import { startProgress } from './progress.ts';
import { readHeader } from './read-block.ts';
import { assertCanonical } from './reorg.ts';

/**
 * Finds the start of a day: after the last block of the day before if that is final, otherwise by timestamps.
 * @returns the progress of a later day when the chain begins later
 */
export async function beginDay(source: Source, store: ChainStore, day: UtcDay): Promise<Progress> {
  const { chain, head } = source;
  const dayBefore = await getDay(store, addDays(day, -1));
  if (dayBefore) return startProgress(day, dayBefore.last);
  const { first, before } = await findFirstBlock(chain.name, startOfDay(day), head, (number, check) =>
    readHeader(source, number, { check }),
  );
  if (before) await confirm(source, before);
  await confirm(source, first);
  // Days before genesis do not exist, so they have no figures of 0.
  return startProgress(before ? day : later(day, dayOf(first.timestamp)), before);
}

/**
 * Cross-checks the end of a day: its last block, whose hash covers all that was counted, and the next one. Their timestamps
 * decide where the day ends.
 * @param next the first block of a later day
 * @throws OrphanedBlockError when the day's last block is orphaned; BlockError when the next one is
 */
export async function checkEnd(source: Source, { first, last }: Progress, next: SeenBlock): Promise<void> {
  // On a day without blocks, the last block belongs to an earlier day, which has cross-checked it.
  if (first && last) await assertCanonical(source, last);
  await confirm(source, next);
}

async function confirm(source: Source, block: SeenBlock): Promise<void> {
  if ((await crossCheck(source, block)) === 'canonical') return;
  throw new BlockError(
    { chain: source.chain.name, block: block.number },
    `${block.host} reported ${block.hash} at ${block.timestamp}, and no endpoint confirms it`,
  );
}
