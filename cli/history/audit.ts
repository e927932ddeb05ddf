import pMap from 'p-map';
import { readKnownHeader, voteOn } from '../../core/anchor/anchor.ts';
import { type AnchoredNetwork, upstreamsFor } from '../../core/anchor/network.ts';
import { readHeader } from '../../core/anchor/read-header.ts';
import { nodeBlocks } from '../../core/blocks/nodes/node-blocks.ts';
import type { Chain } from '../../core/chains/chains.ts';
import type { BlockHeader } from '../../core/figures/block.ts';
import { addDays, startOfDay } from '../../core/figures/calendar.ts';
import { type DayFigures, DEFINITION_VERSION } from '../../core/figures/day-figures.ts';
import { addTotals, NO_TOTALS } from '../../core/figures/totals.ts';
import { describeContradiction } from '../../core/store/days/compare-figures.ts';
import { queryStoredDays } from '../../core/store/days/days.ts';
import { given, givenBlocks } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';
import type { ArchiveRow } from './row.ts';

/** A proof contradicts a figure of the file. The message names both. */
export class Difference extends Error {}

const notRead = (reason: string) =>
  new CommandError(
    `${reason}\nNothing was published. What was compared is saved: repeat the command to continue.`,
  );

/** Returns the figures of a row with hashes of the blocks at its ends. */
const figuresOf = (row: ArchiveRow, { hash, parentHash }: BlockLink, lastHash: string): DayFigures => ({
  day: row.date,
  totals: row.totals,
  parentHash,
  first: { number: row.first, hash },
  last: { number: row.last, hash: lastHash },
  definitionVersion: DEFINITION_VERSION,
});

type BlockLink = Pick<BlockHeader, 'hash' | 'parentHash'>;

/** @param what names the figures @throws Difference */
function compare(chain: Chain, what: string, ofFile: DayFigures, proven: DayFigures): void {
  const changes = describeContradiction(chain, ofFile, proven);
  if (changes !== '') throw new Difference(`${what} (file → proven): ${changes}`);
}

/** Reads the header of a block that enough hosts report, whichever node gave another one. */
async function readConfirmed(network: AnchoredNetwork, number: number) {
  const header = given(await readHeader(network, number, upstreamsFor(network)), notRead);
  const vote = await voteOn(network, header);
  if (vote.kind === 'undecided') throw notRead(`${network.chain.name}: ${vote.reason}`);
  return { ...(vote.kind === 'supported' ? header : vote.by), hosts: vote.hosts };
}

/** A day of the file whose ends are proven, and the hosts that report the block after it. */
export type BoundedDay = Awaited<ReturnType<typeof proveBounds>>[number];

const BOUNDARIES_AT_ONCE = 16;

/**
 * Proves where each day begins and the last one ends, with two headers a day that hash to their hashes, and that enough hosts report.
 * @throws Difference, or CommandError when nodes do not have the blocks
 */
export async function proveBounds(network: AnchoredNetwork, days: readonly ArchiveRow[], onDay: () => void) {
  const { date, last } = days.at(-1) as ArchiveRow;
  const bounds = await pMap(
    [...days, { date: addDays(date, 1), first: last + 1 }],
    (day) => boundaryAt(network, day).finally(onDay),
    { concurrency: BOUNDARIES_AT_ONCE },
  );
  return days.map((day, index) => {
    const [begin, end] = [bounds[index], bounds[index + 1]] as [Boundary, Boundary];
    const { firstHash = begin.hash, lastHash = end.parentHash } = day;
    const figures = figuresOf(day, begin, end.parentHash);
    const stated = figuresOf(day, { ...begin, hash: firstHash }, lastHash);
    compare(network.chain, `${network.chain.name} ${day.date}: hashes differ`, stated, figures);
    return { figures, hosts: end.hosts };
  });
}

type Boundary = Awaited<ReturnType<typeof boundaryAt>>;

/** Reads the first block of a day, and checks that midnight is between it and the block before it. */
async function boundaryAt(network: AnchoredNetwork, { date, first }: Pick<ArchiveRow, 'date' | 'first'>) {
  const boundary = await readConfirmed(network, first);
  const { parentHash, timestamp } = boundary;
  // Genesis has no block before it.
  const parent = { number: first - 1, hash: parentHash };
  const before = first === 0 ? undefined : given(await readKnownHeader(network, parent), notRead);
  const midnight = startOfDay(date);
  if (timestamp >= midnight && (before?.timestamp ?? 0) < midnight) return boundary;
  const hours = Math.round(Math.abs(timestamp - midnight) / 360) / 10;
  const side = timestamp < midnight ? 'before' : 'after';
  throw new Difference(
    `${network.chain.name} ${date}: first_block: block ${first} is of ${timeOf(boundary)}, ${hours} hours ${side} midnight UTC` +
      `${before ? `, and the block before it of ${timeOf(before)}` : ''}. The archive may cut days in another time zone, or be of another chain`,
  );
}

const timeOf = ({ timestamp }: { readonly timestamp: number }): string =>
  new Date(timestamp * 1_000).toISOString();

/** Compares the file with the proven days of the table. @returns the number of equal days @throws Difference */
export async function compareProven({ store, name, chain }: ServedChain, days: readonly BoundedDay[]) {
  const ofFile = new Map(days.map(({ figures }) => [figures.day, figures]));
  let equal = 0;
  for (const { figures: stored, evidence } of await queryStoredDays(store)) {
    const day = ofFile.get(stored.day);
    if (!day || evidence !== 'proven') continue;
    compare(chain, `${name} ${stored.day}: the file differs from the proven day`, day, stored);
    equal++;
  }
  return equal;
}

/** Proves all blocks of a range, and compares their sums. @throws Difference, or CommandError when nodes lack one */
export async function auditRange(
  network: AnchoredNetwork,
  row: ArchiveRow,
  onBlock: () => void,
): Promise<void> {
  const what = `${network.chain.name} ${row.date}, blocks ${row.first} to ${row.last}`;
  const [first, last] = await Promise.all([
    readConfirmed(network, row.first),
    readConfirmed(network, row.last),
  ]);
  const parent = row.first === 0 ? undefined : { number: row.first - 1, hash: first.parentHash };
  const blocks = nodeBlocks(network).blocks({ block: parent, notBefore: startOfDay(row.date) }, last);
  let totals = NO_TOTALS;
  for await (const block of givenBlocks(blocks, notRead)) {
    if (!block.isProven) throw notRead(`${what}: block ${block.number} cannot be proven.`);
    if (block.timestamp >= startOfDay(addDays(row.date, 1)))
      throw new Difference(`${what}: last_block: block ${block.number} is of ${timeOf(block)}`);
    totals = addTotals(totals, block.totals);
    onBlock();
  }
  const figures = figuresOf(row, first, last.hash);
  compare(network.chain, what, figures, { ...figures, totals });
}
