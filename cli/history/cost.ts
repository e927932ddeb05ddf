import type { Source } from '../../core/anchor/network.ts';
import type { ArchiveFile, Draw } from '../../core/store/days/archive-files.ts';
import { CALLS_PER_BLOCK } from '../backfill/estimate.ts';
import { evenlySpaced, readSample } from '../backfill/plan.ts';
import { formatCount, formatDuration, formatRate, pluralize, printNote } from '../print.ts';
import type { Drawn, OpenFile } from './draw.ts';

/** Returns the drawn ranges that are not compared yet. */
export const remaining = ({ rows }: Drawn, { equal }: ArchiveFile) => {
  const known = new Set(equal);
  return rows.filter(({ first }) => !known.has(first));
};

export const blocksIn = (rows: Drawn['rows']): number =>
  rows.reduce((sum, { first, last }) => sum + last - first + 1, 0);

const SPEED_SAMPLE = 16;

/** Says what the audit will cost, from the speed of the nodes at some blocks of the file. */
export async function printCost(
  source: Source,
  file: OpenFile,
  drawn: Drawn,
  stored: ArchiveFile,
): Promise<void> {
  const rows = remaining(drawn, stored);
  const [first, last] = [file.days[0]?.first ?? 0, file.days.at(-1)?.last ?? 0];
  const sample = await readSample(source, evenlySpaced(first, last, SPEED_SAMPLE), () => {});
  const speed = sample.blocks / sample.seconds;
  const blocks = blocksIn(rows);
  const calls = blocks * CALLS_PER_BLOCK + (file.days.length + 1) * (2 + source.voters.length);
  const { seed, block_number } = stored.draws.at(-1) as Draw;
  printNote(
    `Drawn by ${seed}, the hash of this file and of final block ${formatCount(block_number)}: ${pluralize(rows.length, 'range')} to compare, ${pluralize(blocks, 'block')}.\n` +
      `Cost: ${formatCount(calls)} JSON-RPC calls, about ${formatDuration(calls / CALLS_PER_BLOCK / speed)} at ${formatRate(speed)} blocks/s. Ctrl-C stops it; repeat the command to continue.`,
  );
}
