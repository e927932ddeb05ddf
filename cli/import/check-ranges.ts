import { voteOn } from '../../core/anchor/anchor.ts';
import { type AnchoredNetwork, isProofRequired } from '../../core/anchor/network.ts';
import { endByRunningDay } from '../../core/days/end.ts';
import { abbreviate, describeBlock } from '../../core/figures/block.ts';
import { addDays } from '../../core/figures/calendar.ts';
import { isContiguous } from '../../core/store/days/compare-figures.ts';
import { figuresOf, type StoredDay } from '../../core/store/days/day-item.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import { formatRange } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { interrupted } from '../exit-codes.ts';
import { type OperatedService, oncePerChain, type ServedChain } from '../service.ts';
import type { PlannedWrite, StoredIndex, WritePlan } from './stored-days.ts';
import { dayId, type RowProblem } from './validate-rows.ts';

/**
 * Drops each range whose days do not follow from each other and from the days of the table next to them, or whose last block is not
 * confirmed: by a stored day that continues it, or by the votes of the hosts of its chain.
 * @param asks false to ask no host
 */
export async function checkRanges(
  service: OperatedService,
  plan: WritePlan,
  stored: StoredIndex,
  asks: boolean,
): Promise<WritePlan> {
  const probe = oncePerChain(async (served) =>
    probeChain(served, await upstreamsOf(served, undefined), requestContext(interrupted)),
  );
  const writes: PlannedWrite[] = [];
  const problems: RowProblem[] = [...plan.problems];
  for (const range of rangesOf(plan.writes)) {
    const { day, file, line } = range.at(-1) as PlannedWrite;
    const served = service.chains.find(({ name }) => name === day.chain);
    const found = gapsIn(range, stored);
    if (asks && found.length === 0 && !(await isContinued(service.table, day, stored, served))) {
      const notServed = { reason: `${service.title} does not ingest ${day.chain}` };
      const refusal = await refusalOf(range, day, served ? await probe(served) : notServed);
      if (refusal) found.push({ file, line, problem: refusal });
    }
    if (found.length === 0) writes.push(...range);
    problems.push(...found);
  }
  return { ...plan, writes, problems };
}

/** Returns the days of each chain without one that is missing between them. */
function rangesOf(writes: readonly PlannedWrite[]): PlannedWrite[][] {
  const ranges: PlannedWrite[][] = [];
  for (const write of writes.toSorted((a, b) => dayId(a.day).localeCompare(dayId(b.day)))) {
    const range = ranges.at(-1);
    const last = range?.at(-1);
    if (range && last && neighborId(last.day, 1) === dayId(write.day)) range.push(write);
    else ranges.push([write]);
  }
  return ranges;
}

const neighborId = ({ chain, date }: StoredDay, distance: number): string =>
  dayId({ chain, date: addDays(date, distance) });

function gapsIn(range: readonly PlannedWrite[], stored: StoredIndex): RowProblem[] {
  const [first, last] = [range[0] as PlannedWrite, range.at(-1) as PlannedWrite];
  const [before, after] = [neighborId(first.day, -1), neighborId(last.day, 1)];
  const around = [stored.get(before), ...range.map(({ day }) => day), stored.get(after)];
  const days = around.filter((day) => day !== undefined);
  return days.flatMap((day, index) => {
    const previous = days[index - 1];
    if (!previous || isContiguous(figuresOf(previous), figuresOf(day))) return [];
    // The stored day after a range has no line.
    const { file, line } = range.find((write) => write.day === day) ?? last;
    const start = day.first_block ? `begins with block ${day.first_block.number}` : 'has no blocks';
    const parent = `parent ${abbreviate(day.parent_hash)}, and the day before ends with block ${describeBlock(previous.last_block)}`;
    const problem = `${dayId(day)} does not continue the day before: it ${start}, ${parent}`;
    return [{ file, line, problem }];
  });
}

/** Returns whether stored blocks continue a day by hash, and are proven to be final where the chain must prove that. */
async function isContinued(table: Table, day: StoredDay, stored: StoredIndex, served?: ServedChain) {
  const after = stored.get(neighborId(day, 1));
  const end = after ? undefined : await endByRunningDay(chainStore(table, day.chain), day.date);
  const isProven = after ? after.links_to !== undefined : end?.finality.kind !== 'reported';
  const isEnough = isProven || !(served && isProofRequired(served.chain, served));
  return isEnough && (after?.parent_hash ?? end?.hash) === day.last_block.hash;
}

/** Returns why the hosts of a chain do not confirm the end of a range; undefined when they do. */
async function refusalOf(
  [first]: readonly PlannedWrite[],
  day: StoredDay,
  probed: { readonly network: AnchoredNetwork } | { readonly reason: string },
): Promise<string | undefined> {
  const dates = formatRange({ start_date: first?.day.date ?? day.date, end_date: day.date });
  const end = `block ${describeBlock(day.last_block)}, the last of ${day.chain} ${dates}`;
  const unconfirmed = (reason: string) =>
    `nothing confirms ${end}: ${reason.trim().replace(/\.$/, '')}. ` +
    'Also import the days from there to the next final day, or try again when two hosts respond';
  if ('reason' in probed) return unconfirmed(probed.reason);
  const { network } = probed;
  const vote = await voteOn(network, day.last_block);
  if (vote.kind === 'contradicted') return `the hosts report ${vote.by.hash}, not ${end}`;
  if (vote.kind === 'undecided') return unconfirmed(vote.reason);
  if (network.isProofRequired) return unconfirmed("hosts are not enough for the setting finality: 'proven'");
  return network.quorum > 1 ? undefined : unconfirmed('a quorum of 1 cannot confirm it');
}
