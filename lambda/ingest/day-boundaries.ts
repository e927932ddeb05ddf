import type { SeenBlock } from '../chains/block.ts';
import { addDays, dayOf, later, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { NoEndpoint } from '../rpc/retry.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import { getDay } from '../store/days.ts';
import { type CrossCheck, crossCheck } from './blocks/cross-check.ts';
import { findFirstBlock } from './blocks/first-of-day.ts';
import { readHeader } from './blocks/read.ts';
import type { Source } from './endpoints.ts';
import { type Disputed, disputed, type NotFinalYet, type Orphaned } from './outcomes.ts';
import { startProgress } from './progress.ts';
import { orphaned } from './reorg.ts';

/**
 * Finds where a day's blocks begin: after the day before, if that is final, else where the timestamps say.
 * @returns the progress of a later day if the chain does not reach back so far
 */
export async function findDayStart(
  source: Source,
  store: ChainStore,
  day: UtcDay,
): Promise<{ readonly kind: 'begun'; readonly progress: Progress } | NoEndpoint | Disputed | NotFinalYet> {
  const { chain, head } = source;
  const dayBefore = await getDay(store, addDays(day, -1));
  if (dayBefore) return { kind: 'begun', progress: startProgress(day, dayBefore.last) };
  const found = await findFirstBlock(chain.name, startOfDay(day), head, (number, problemOf) =>
    readHeader(source, number, { problemOf }),
  );
  if (found.kind !== 'found') return found;
  const { first, before } = found;
  for (const block of before ? [before, first] : [first]) {
    const checked = await crossCheck(source, block);
    if (checked.kind !== 'canonical') return unlessOrphaned(source, block, checked);
  }
  // Before genesis there is nothing to count, not even a zero: the chain's own first day is the first that can be final.
  const firstDay = before ? day : later(day, dayOf(first.timestamp));
  return { kind: 'begun', progress: startProgress(firstDay, before) };
}

/**
 * Cross-checks both sides of a day's end: two timestamps decide where it lies, and all that was counted hangs on the hash of
 * the last block.
 * @param next the first block of a later day
 */
export async function confirmDayEnd(
  source: Source,
  { first, last }: Progress,
  next: SeenBlock,
): Promise<
  | { readonly kind: 'confirmed'; readonly hosts: readonly string[] }
  | Orphaned
  | NoEndpoint
  | Disputed
  | NotFinalYet
> {
  let hosts: readonly string[] = [];
  // The last block of a day without blocks belongs to a day before, and was cross-checked then.
  if (first && last) {
    const checked = await crossCheck(source, last);
    if (checked.kind === 'orphaned') return orphaned(source.chain.name, last);
    if (checked.kind !== 'canonical') return checked;
    hosts = [...new Set([...(last.host === undefined ? [] : [last.host]), ...checked.hosts])].toSorted();
  }
  const checked = await crossCheck(source, next);
  return checked.kind === 'canonical' ? { kind: 'confirmed', hosts } : unlessOrphaned(source, next, checked);
}

/** A block that was only just read and is gone again says nothing about the progress: a later run reads it again. */
const unlessOrphaned = <T extends Exclude<CrossCheck, { kind: 'canonical' }>>(
  { chain }: Source,
  { number, hash, timestamp, host }: SeenBlock,
  checked: T,
) =>
  checked.kind === 'orphaned'
    ? disputed(chain.name, number, `${host} reported ${hash} at ${timestamp}, which no endpoint confirms`)
    : (checked as Exclude<T, { kind: 'orphaned' }>);
