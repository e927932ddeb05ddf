import { voteOn } from '../../core/anchor/anchor.ts';
import { isProofRequired } from '../../core/anchor/network.ts';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { endByRunningDay } from '../../core/days/known-end.ts';
import { addDays } from '../../core/figures/calendar.ts';
import { describeBlock } from '../../core/store/days/compare-figures.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import { type CountedRange, formatRange, groupIntoRanges } from '../day-ranges.ts';
import type { OperatedService } from '../service.ts';
import type { ProbedChain } from './hosts.ts';
import type { PlannedWrite, StoredIndex } from './plan-writes.ts';
import { dayId } from './validate-rows.ts';

/** Contiguous days of a chain that are to be written. All follow by hash from the last. */
export interface WriteRange {
  readonly chain: ChainName;
  readonly dates: CountedRange;
  readonly last: PlannedWrite;
}

/** Returns the ranges of days that no stored blocks continue by hash, so that only hosts can confirm their end. */
export async function unanchoredRanges(
  { table, chains }: OperatedService,
  writes: readonly PlannedWrite[],
  stored: StoredIndex,
): Promise<WriteRange[]> {
  const ranges: WriteRange[] = [];
  for (const range of rangesOf(writes)) {
    const after = await continuationOf(table, range, stored);
    const served = chains.find(({ name }) => name === range.chain);
    const isEnough = after?.isProven || !(served && isProofRequired(served.chain, served));
    if (after?.parentHash !== range.last.day.last_block.hash || !isEnough) ranges.push(range);
  }
  return ranges;
}

const rangesOf = (writes: readonly PlannedWrite[]): WriteRange[] =>
  chainNames.flatMap((chain) => {
    const own = writes.filter(({ day }) => day.chain === chain);
    const byDate = new Map(own.map((write) => [write.day.date, write]));
    return groupIntoRanges([...byDate.keys()].toSorted()).flatMap((dates) => {
      const last = byDate.get(dates.end_date);
      return last ? [{ chain, dates, last }] : [];
    });
  });

/** The parent hash of the blocks after a range, and whether the chain proves these to be final. */
interface Continuation {
  readonly parentHash: string;
  readonly isProven: boolean;
}

async function continuationOf(
  table: Table,
  { chain, last }: WriteRange,
  stored: StoredIndex,
): Promise<Continuation | undefined> {
  const after = stored.get(dayId({ chain, date: addDays(last.day.date, 1) }));
  if (after) return { parentHash: after.parent_hash, isProven: after.links_to !== undefined };
  const end = await endByRunningDay(chainStore(table, chain), last.day.date);
  return end && { parentHash: end.hash, isProven: end.finality.kind !== 'reported' };
}

export const isIn = ({ chain, dates }: WriteRange, { day }: PlannedWrite): boolean =>
  day.chain === chain && day.date >= dates.start_date && day.date <= dates.end_date;

export const describeEnd = ({ chain, dates, last }: WriteRange): string =>
  `block ${describeBlock(last.day.last_block)}, the last of ${chain} ${formatRange(dates)}`;

/** Returns why the hosts of a chain do not confirm the end of a range; undefined when they do. */
export async function anchorProblem(range: WriteRange, probe: ProbedChain): Promise<string | undefined> {
  const unconfirmed = (reason: string) =>
    `nothing confirms ${describeEnd(range)}: ${reason.trim().replace(/\.$/, '')}. ` +
    'Also import the days from there to the next final day, or try again when two hosts respond';
  if (probe.kind !== 'probed') return unconfirmed(probe.reason);
  const result = await voteOn(probe.source, range.last.day.last_block);
  switch (result.kind) {
    case 'supported':
      if (probe.source.isProofRequired)
        return unconfirmed("the word of hosts is not enough for finality 'proven'");
      return probe.source.quorum > 1 ? undefined : unconfirmed('a quorum of 1 cannot confirm it');
    case 'contradicted':
      return `the hosts report ${result.by.hash}, not ${describeEnd(range)}`;
    case 'undecided':
      return unconfirmed(result.reason);
  }
}
