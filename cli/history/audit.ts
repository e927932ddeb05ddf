import pMap from 'p-map';
import { voteOn } from '../../core/anchor/anchor.ts';
import { type Source, upstreamsFor } from '../../core/anchor/network.ts';
import { readHeader } from '../../core/anchor/read-header.ts';
import type { ArchiveDay } from '../../core/archive/check-rows.ts';
import { rangeDifference } from '../../core/archive/compare.ts';
import type { ArchiveRow } from '../../core/archive/row.ts';
import { nodeBlocks } from '../../core/blocks/nodes/node-blocks.ts';
import type { BlockHeader, SummedBlock } from '../../core/figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { addTotals, NO_TOTALS } from '../../core/figures/totals.ts';
import { type Fetched, fetched, type NoEndpoint, noEndpoint } from '../../core/rpc/failover.ts';

/** A figure of the file that a proof contradicts, in words. */
export interface Difference {
  readonly kind: 'difference';
  readonly difference: string;
}

const difference = (words: string): Difference => ({ kind: 'difference', difference: words });

/** The start of a day: its first block, and the last one before it, which is absent at genesis. */
export interface Boundary {
  readonly first: BlockHeader;
  readonly before: BlockHeader | undefined;
  /** The hosts that confirmed the block. */
  readonly hosts: readonly string[];
}

const BOUNDARIES_AT_ONCE = 16;

/**
 * Proves where each day begins and the last one ends, with two headers a day that hash to their hashes, and that enough hosts report.
 * @param onDay receives the number of days done
 * @returns a boundary for each day, and the one after the last day
 */
export async function proveBounds(
  source: Source,
  days: readonly ArchiveDay[],
  onDay: (done: number) => void,
): Promise<readonly Boundary[] | Difference | NoEndpoint> {
  let done = 0;
  const last = days.at(-1) as ArchiveDay;
  const starts = [
    ...days.map(({ date, first }) => ({ date, first })),
    { date: addDays(last.date, 1), first: last.last + 1 },
  ];
  const found = await pMap(
    starts,
    async ({ date, first }, index) => {
      const boundary = await readBoundary(source, first);
      onDay(Math.min(++done, days.length));
      if (boundary.kind === 'no endpoint') return boundary;
      return boundaryProblem(source, date, boundary.value, days[index], days[index - 1]) ?? boundary.value;
    },
    { concurrency: BOUNDARIES_AT_ONCE },
  );
  const failed = found.find((one): one is Difference | NoEndpoint => 'kind' in one);
  return failed ?? found.filter((one): one is Boundary => !('kind' in one));
}

/** Reads the header of a block that enough hosts report, whichever node gave another one. */
async function confirmedHeader(
  source: Source,
  number: number,
): Promise<Fetched<{ readonly header: BlockHeader; readonly hosts: readonly string[] }>> {
  const read = await readHeader(source, number, upstreamsFor(source));
  if (read.kind === 'no endpoint') return read;
  const vote = await voteOn(source, read.value);
  if (vote.kind === 'supported') return fetched({ header: read.value, hosts: vote.hosts });
  const other = vote.kind === 'contradicted' ? await voteOn(source, vote.by) : vote;
  return vote.kind === 'contradicted' && other.kind === 'supported'
    ? fetched({ header: vote.by, hosts: other.hosts })
    : noEndpoint(`${source.chain.name} block ${number}`, [vote.reason]);
}

async function readBoundary(source: Source, number: number): Promise<Fetched<Boundary>> {
  const confirmed = await confirmedHeader(source, number);
  if (confirmed.kind === 'no endpoint') return confirmed;
  const { header: first, hosts } = confirmed.value;
  if (number === 0) return fetched({ first, before: undefined, hosts });
  const before = await readHeader(source, number - 1, upstreamsFor(source), ({ hash }) =>
    hash === first.parentHash
      ? undefined
      : `block ${number - 1} is ${hash}, and not the parent of block ${number}`,
  );
  return before.kind === 'no endpoint' ? before : fetched({ first, before: before.value, hosts });
}

function boundaryProblem(
  { chain }: Source,
  date: UtcDay,
  { first, before }: Boundary,
  day: ArchiveDay | undefined,
  dayBefore: ArchiveDay | undefined,
): Difference | undefined {
  const at = `${chain.name} ${date}`;
  if (day?.firstHash !== undefined && day.firstHash !== first.hash)
    return difference(
      `${at}: first_block_hash: the file has ${day.firstHash}, the proven block ${first.number} is ${first.hash}`,
    );
  if (dayBefore?.lastHash !== undefined && dayBefore.lastHash !== before?.hash)
    return difference(
      `${chain.name} ${dayBefore.date}: last_block_hash: the file has ${dayBefore.lastHash}, the proven block ${dayBefore.last} is ${before?.hash}`,
    );
  const midnight = startOfDay(date);
  if (first.timestamp < midnight)
    return difference(
      `${at}: first_block: block ${first.number} is of ${timeOf(first)}, ${shifted(midnight - first.timestamp, 'before the day')}`,
    );
  if (!before || before.timestamp < midnight) return undefined;
  return difference(
    `${at}: first_block: the block before ${first.number} is of ${timeOf(before)}, ${shifted(before.timestamp - midnight, 'into the day')}`,
  );
}

const timeOf = ({ timestamp }: BlockHeader): string => new Date(timestamp * 1_000).toISOString();

/** Adds the likely cause of a difference of hours. */
function shifted(seconds: number, where: string): string {
  const cause = ' The archive may cut days at another hour than midnight UTC, or be of another chain.';
  return seconds < 900
    ? `${seconds} s ${where}.`
    : `${Math.round(seconds / 360) / 10} hours ${where}.${cause}`;
}

/**
 * Reads all blocks of a range, proves them and compares their sums.
 * @param onBlock receives each block; the first ones again after a host turned out to lie
 * @returns undefined if they are equal
 */
export async function auditRange(
  source: Source,
  row: ArchiveRow,
  onBlock: (block: SummedBlock) => void,
): Promise<Difference | NoEndpoint | undefined> {
  const what = `${source.chain.name} ${row.date}, blocks ${row.first} to ${row.last}`;
  const [first, last] = await Promise.all([
    confirmedHeader(source, row.first),
    confirmedHeader(source, row.last),
  ]);
  if (first.kind === 'no endpoint') return first;
  if (last.kind === 'no endpoint') return last;
  const parent = row.first === 0 ? undefined : { number: row.first - 1, hash: first.value.header.parentHash };
  const start = { block: parent, notBefore: startOfDay(row.date) };
  const blocks = nodeBlocks(source).blocks(start, last.value.header);
  let totals = NO_TOTALS;
  let before: SummedBlock | undefined;
  for (;;) {
    const { done, value } = await blocks.next();
    if (done && value.kind === 'no endpoint') {
      const others = before && (await withoutLiar(source, before));
      return others ? auditRange(others, row, onBlock) : value;
    }
    if (done) break;
    before = value;
    if (!value.isProven) return noEndpoint(what, [`block ${value.number} cannot be proven`]);
    if (value.timestamp >= startOfDay(addDays(row.date, 1)))
      return difference(`${what}: last_block: block ${value.number} is of ${timeOf(value)}`);
    totals = addTotals(totals, value.totals);
    onBlock(value);
  }
  const found = rangeDifference(source.chain, row, totals);
  return found === undefined ? undefined : difference(`${what}: ${found}`);
}

/** Returns the source without the host that gave a block, if the other hosts report another block of its number. */
async function withoutLiar(source: Source, block: SummedBlock): Promise<Source | undefined> {
  const vote = await voteOn(source, block);
  if (vote.kind !== 'contradicted') return undefined;
  const gave = ({ upstreams }: Source['voters'][number]) =>
    upstreams.some(({ endpoint }) => endpoint.host === block.host);
  const voters = source.voters.filter((voter) => !gave(voter));
  return voters.length < source.voters.length ? { ...source, voters } : undefined;
}
