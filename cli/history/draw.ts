import { voteOn } from '../../core/anchor/anchor.ts';
import { type AnchoredNetwork, upstreamsFor } from '../../core/anchor/network.ts';
import { nodeHeaders } from '../../core/blocks/nodes/node-blocks.ts';
import { systemClock } from '../../core/clock.ts';
import { searchIn } from '../../core/days/find-day-start.ts';
import type { BlockHeader, BlockRef } from '../../core/figures/block.ts';
import { type ArchiveFile, changeArchiveFile } from '../../core/store/days/archives.ts';
import { openNetwork, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, interrupted, orStopped } from '../exit-codes.ts';
import { formatCount, pluralize, printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';
import type { OpenFile } from './open-file.ts';
import { drawRows, seedOf } from './sample.ts';

/*
 * A file is recorded first, and a later block draws its ranges, so that nobody can choose a file for a draw or a draw for a file. Anyone
 * with the file, the time of the record and a node finds the same block.
 */

/** Clocks of nodes may be ahead by up to this. No final block that was known at the time of the record has a later time. */
export const MINUTES_AFTER_RECORD = 15;

const POLL_MS = 15_000;

type Draw = ArchiveFile['draws'][number];
type Size = Pick<Draw, 'ranges' | 'days'>;

/**
 * Records a file that has no draw to compare, waits until the block of its draw is final, and saves the draw before any of its ranges is
 * read. A repeated call continues with the record or the draw before.
 */
export async function recordAndDraw(
  served: ServedChain,
  { sha256, rows }: OpenFile,
  { ranges, days, ...about }: Size & Pick<ArchiveFile, 'name' | 'query_sha256'>,
) {
  const { store, chain } = served;
  const open = async () =>
    openNetwork(served, await upstreamsOf(served, undefined), requestContext(interrupted));
  let network = await open();
  // A clock that is behind may not date the record before blocks that are known.
  const recorded_at = new Date(Math.max(Date.now(), network.anchor.timestamp * 1_000)).toISOString();
  let stored = await changeArchiveFile(store, sha256, (file) => {
    const isDone = drawRows(chain, rows, file).left.length === 0;
    return { ...about, record: file.record ?? (isDone ? { recorded_at, ranges, days } : undefined) };
  });
  let isTold = false;
  while (stored.record) {
    const { record } = stored;
    const block = served.isDevelopment ? network.anchor : await drawingBlock(network, record.recorded_at);
    if (block) {
      const draw = { ...record, ...drawnBy(sha256, block), is_made_up: served.isDevelopment };
      // Another import of the file may have drawn meanwhile: from the same block.
      stored = await changeArchiveFile(store, sha256, (file) =>
        file.record ? { draws: [...file.draws, draw], record: undefined } : {},
      );
      continue;
    }
    const rest = drawTime(record.recorded_at) * 1_000 - Date.now();
    if (!isTold)
      printNote(
        `Recorded at ${record.recorded_at}. The first final block after ${isoOf(drawTime(record.recorded_at) - 1)} will draw the ranges, so that nobody can choose them. ` +
          `Now block ${formatCount(network.anchor.number)} of ${isoOf(network.anchor.timestamp)} is final. Waiting; Ctrl-C stops, and the same command continues.`,
      );
    isTold = true;
    await orStopped(
      systemClock.sleep(Math.max(rest, POLL_MS), interrupted),
      'Stopped. The record is saved: repeat the command to continue.',
    );
    network = await open();
  }
  return { network, stored };
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Returns the lowest time of the block that draws, in seconds. */
const drawTime = (recordedAt: string): number =>
  Math.floor(Date.parse(recordedAt) / 1_000) + MINUTES_AFTER_RECORD * 60 + 1;

const drawnBy = (sha256: string, { number, hash }: BlockRef) => ({
  seed: seedOf(sha256, hash),
  block_number: number,
  block_hash: hash,
  drawn_at: new Date(Date.now()).toISOString(),
});

/**
 * Finds the first block that is late enough after the record, as a quorum of hosts reports it.
 * @returns undefined while it is not final @throws CommandError when the hosts do not agree about it
 */
export async function drawingBlock(
  network: AnchoredNetwork,
  recordedAt: string,
): Promise<BlockHeader | undefined> {
  const time = drawTime(recordedAt);
  if (network.anchor.timestamp < time) return undefined;
  const reasons: string[] = [];
  for (const upstream of upstreamsFor(network)) {
    const found = await searchIn(network, nodeHeaders(upstream), time, network.anchor);
    const problem = found.kind === 'boundary' ? await objectionTo(network, found) : found.reason;
    if (problem === undefined && found.kind === 'boundary') return found.first;
    reasons.push(`${upstream.endpoint.host}: ${problem}`);
  }
  throw new CommandError(
    `${network.chain.name}: no block to draw from after ${isoOf(time - 1)}: ${reasons.join('. ')}\nThe record is saved: repeat the command to continue.`,
  );
}

/** Returns why the hosts do not support both blocks around a time. */
async function objectionTo(
  network: AnchoredNetwork,
  { first, before }: { readonly first?: BlockHeader; readonly before?: BlockHeader },
): Promise<string | undefined> {
  for (const block of [first, before]) {
    const vote = block && (await voteOn(network, block));
    if (vote?.kind !== 'supported') return vote?.reason ?? 'it has no block before';
  }
  return undefined;
}

/** Returns a sentence with which anyone can repeat a draw. */
export const describeDraw = ({ block_number, block_hash, recorded_at, is_made_up }: Draw): string => {
  const by = `Drawn by block ${formatCount(block_number)} (${block_hash})`;
  if (is_made_up) return `${by} of a development chain, whose blocks are all known before.`;
  if (!recorded_at) return `${by}, without a record before: it could be chosen.`;
  return `${by}, the first with a time more than ${MINUTES_AFTER_RECORD} minutes after the file was recorded at ${recorded_at}.`;
};

/** Returns how many other files of a chain were tried, so that nobody can record many and show only the luckiest; an empty string for none. */
export function describeOthers(chain: string, files: readonly ArchiveFile[], sha256: string): string {
  const isPassed = (file: ArchiveFile) => file.report && !file.difference && !file.void_since;
  const others = files.filter((file) => file.sha256 !== sha256 && !isPassed(file)).length;
  if (others === 0) return '';
  return ` ${pluralize(others, 'other file')} of ${chain} failed here, or ${others === 1 ? 'was' : 'were'} recorded and not audited: each weakens the confidence.`;
}
