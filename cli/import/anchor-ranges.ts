import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { addDays } from '../../core/figures/calendar.ts';
import { voteOn } from '../../core/ingest/anchor.ts';
import { endByRunningDay } from '../../core/ingest/days/connect-days.ts';
import { describeBlock } from '../../core/store/compare-figures.ts';
import { chainStore, type Table } from '../../core/store/table.ts';
import { type CountedRange, formatRange, groupIntoRanges } from '../day-ranges.ts';
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
  table: Table,
  writes: readonly PlannedWrite[],
  stored: StoredIndex,
): Promise<WriteRange[]> {
  const ranges: WriteRange[] = [];
  for (const range of rangesOf(writes)) if (!(await isContinued(table, range, stored))) ranges.push(range);
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

async function isContinued(table: Table, { chain, last }: WriteRange, stored: StoredIndex): Promise<boolean> {
  const { date: day, last_block } = last.day;
  const after = stored.get(dayId({ chain, date: addDays(day, 1) }));
  if (after) return after.parent_hash === last_block.hash;
  return (await endByRunningDay(chainStore(table, chain), day))?.hash === last_block.hash;
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
      return probe.source.quorum > 1 ? undefined : unconfirmed('a quorum of 1 cannot confirm it');
    case 'contradicted':
      return `the hosts report ${result.by.hash}, not ${describeEnd(range)}`;
    case 'undecided':
      return unconfirmed(result.reason);
  }
}
