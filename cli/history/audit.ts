import pMap from 'p-map';
import { readKnownHeader, voteOn } from '../../core/anchor/anchor.ts';
import { type Source, upstreamsFor } from '../../core/anchor/network.ts';
import { readHeader } from '../../core/anchor/read-header.ts';
import { nodeBlocks } from '../../core/blocks/nodes/node-blocks.ts';
import { addDays, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { DEFINITION_VERSION } from '../../core/figures/day-figures.ts';
import { addTotals, NO_TOTALS } from '../../core/figures/totals.ts';
import { describeChanges, describeContradiction } from '../../core/store/days/compare-figures.ts';
import { given, givenBlocks } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ArchiveRow } from './row.ts';

/** A figure of the file that a proof contradicts. */
export class Difference extends CommandError {
  readonly difference: string;

  constructor(difference: string) {
    super(`${difference}.\nThe file failed its audit, and nothing was published.`, exitCodes.checkFailed);
    this.difference = difference;
  }
}

const notRead = (reason: string) =>
  new CommandError(
    `${reason}\nNothing was published. What was compared is saved: repeat the command to continue.`,
  );

/** Reads the header of a block that enough hosts report, whichever node gave another one. */
async function confirmedHeader(source: Source, number: number) {
  const header = given(await readHeader(source, number, upstreamsFor(source)), notRead);
  const vote = await voteOn(source, header);
  if (vote.kind === 'undecided') throw notRead(`${source.chain.name}: ${vote.reason}`);
  return { header: vote.kind === 'supported' ? header : vote.by, hosts: vote.hosts };
}

/** A day of the file with the blocks that bound it, which are proven. */
export type BoundedDay = ReturnType<typeof boundedDay>;

const BOUNDARIES_AT_ONCE = 16;

/**
 * Proves where each day begins and the last one ends, with two headers a day that hash to their hashes, and that enough hosts report.
 * @throws Difference, or CommandError when nodes do not have the blocks
 */
export async function proveBounds(source: Source, days: readonly ArchiveRow[], onDay: () => void) {
  const { date, last } = days.at(-1) as ArchiveRow;
  const bounds = await pMap(
    [...days, { date: addDays(date, 1), first: last + 1 }],
    (day) => boundaryAt(source, day.date, day.first).finally(onDay),
    { concurrency: BOUNDARIES_AT_ONCE },
  );
  return days.map((day, index) =>
    boundedDay(source, day, bounds[index] as Boundary, bounds[index + 1] as Boundary),
  );
}

type Boundary = Awaited<ReturnType<typeof confirmedHeader>>;

/** Reads the first block of a day, and checks that midnight is between it and the block before it. */
async function boundaryAt(source: Source, date: UtcDay, number: number): Promise<Boundary> {
  const boundary = await confirmedHeader(source, number);
  const { parentHash, timestamp } = boundary.header;
  // Genesis has no block before it.
  const parent = { number: number - 1, hash: parentHash };
  const before = number === 0 ? undefined : given(await readKnownHeader(source, parent), notRead);
  const midnight = startOfDay(date);
  if (timestamp >= midnight && (before?.timestamp ?? 0) < midnight) return boundary;
  const hours = Math.round(Math.abs(timestamp - midnight) / 360) / 10;
  const side = timestamp < midnight ? 'before' : 'after';
  throw new Difference(
    `${source.chain.name} ${date}: first_block: block ${number} is of ${timeOf(boundary.header)}, ${hours} hours ${side} midnight UTC` +
      `${before ? `, and the block before it of ${timeOf(before)}` : ''}. The archive may cut days in another time zone, or be of another chain`,
  );
}

const timeOf = ({ timestamp }: { readonly timestamp: number }): string =>
  new Date(timestamp * 1_000).toISOString();

function boundedDay({ chain }: Source, day: ArchiveRow, begin: Boundary, end: Boundary) {
  const figures = {
    day: day.date,
    totals: day.totals,
    parentHash: begin.header.parentHash,
    first: { number: day.first, hash: begin.header.hash },
    last: { number: day.last, hash: end.header.parentHash },
    definitionVersion: DEFINITION_VERSION,
  };
  const [first, last] = [{ ...figures.first }, { ...figures.last }];
  if (day.firstHash) first.hash = day.firstHash;
  if (day.lastHash) last.hash = day.lastHash;
  const changes = describeChanges({ ...figures, first, last }, figures);
  if (changes === '') return { figures, hosts: end.hosts };
  throw new Difference(`${chain.name} ${day.date}: hashes differ (file → proven): ${changes}`);
}

/** Proves all blocks of a range, and compares their sums. @throws Difference, or CommandError when nodes lack one */
export async function auditRange(source: Source, row: ArchiveRow, onBlock: () => void): Promise<void> {
  const what = `${source.chain.name} ${row.date}, blocks ${row.first} to ${row.last}`;
  const [{ header: first }, { header: last }] = await Promise.all([
    confirmedHeader(source, row.first),
    confirmedHeader(source, row.last),
  ]);
  const parent = row.first === 0 ? undefined : { number: row.first - 1, hash: first.parentHash };
  const blocks = nodeBlocks(source).blocks({ block: parent, notBefore: startOfDay(row.date) }, last);
  let totals = NO_TOTALS;
  for await (const block of givenBlocks(blocks, notRead)) {
    if (!block.isProven) throw notRead(`${what}: block ${block.number} cannot be proven.`);
    if (block.timestamp >= startOfDay(addDays(row.date, 1)))
      throw new Difference(`${what}: last_block: block ${block.number} is of ${timeOf(block)}`);
    totals = addTotals(totals, block.totals);
    onBlock();
  }
  const { parentHash } = first;
  const proven = { day: row.date, totals, parentHash, first, last, definitionVersion: DEFINITION_VERSION };
  const changes = describeContradiction(source.chain, { ...proven, totals: row.totals }, proven);
  if (changes !== '') throw new Difference(`${what} (file → proven): ${changes}`);
}
