import { randomInt } from 'node:crypto';
import { createBlockReader } from '../blocks/block-stream.ts';
import { nodeBlocks } from '../blocks/nodes/node-blocks.ts';
import { totalFees } from '../figures/fee-parts.ts';
import { within } from '../rpc/deadline.ts';
import {
  type ArchivedDay,
  type ArchiveFile,
  changeArchiveFile,
  listArchivedDays,
  listArchiveFiles,
  provingFile,
} from '../store/days/archives.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { listWaitingDays } from '../store/days/waiting-days.ts';
import type { Conflict } from '../transitions/conflict.ts';
import { isRead, readState } from '../transitions/state.ts';
import type { DayRun } from './day-run.ts';
import { ingestDay } from './ingest-day.ts';

/* Scheduled runs prove archived days with the time that they have left, so that less and less has to be believed. */

const DAY_MS = 24 * 3_600_000;
/** Time to save the progress and to end the run. */
const RESERVE_MS = 15_000;
/** Days of a file that are remembered because they could not be proven: no day takes every turn, and the item stays small. */
const MAX_FAILED_DAYS = 100;

/**
 * Proves an archived day, or a part of one.
 * @param perDay days to begin in 24 hours
 * @param stopAt end of the run, milliseconds since 1970
 * @returns a conflict when the proof contradicts the archive; a failure is noted beside the file, because it concerns no final day
 */
export async function proveOn(run: DayRun, perDay: number, stopAt: number): Promise<Conflict | undefined> {
  const { store, network } = run;
  const now = network.context.clock.now();
  const ms = stopAt - now - RESERVE_MS;
  const files = ms > RESERVE_MS ? await listArchiveFiles(store) : [];
  const last = provingFile(files);
  const isDue = !last?.proving || now - Date.parse(last.proving.since) >= DAY_MS / perDay;
  const file = isDue ? await beginNext(run, files, now) : last;
  const { day, problem } = file?.proving ?? {};
  // The day that was begun last may be done.
  if (!file || !day || problem) return undefined;
  const state = await readState(store, day);
  if (state.kind !== 'archived' || isRead(state.proof)) return undefined;
  const end = await within(network.context, ms, async (context) => {
    const limited = { ...network, context };
    const blocks = nodeBlocks(limited);
    await using reader = createBlockReader(blocks);
    return ingestDay({ ...run, network: limited, blocks }, reader, await getCheckpoint(store, day));
  });
  if (end?.kind === 'conflict') return end;
  // In all other cases the day is done, or a later run continues it.
  if (end?.kind === 'no endpoint' || end?.kind === 'failed' || end?.kind === 'rule changed')
    await changeArchiveFile(store, file.sha256, ({ proving, failed_days = [] }) => ({
      proving: proving && { ...proving, problem: end.reason },
      failed_days: [...failed_days.filter((one) => one !== day), day].slice(-MAX_FAILED_DAYS),
    }));
  return undefined;
}

/** Chooses the day with the largest fees and a random one in turn, but none that failed while others are left. @returns its file */
async function beginNext({ store, network }: DayRun, files: readonly ArchiveFile[], now: number) {
  if (files.length === 0) return undefined;
  const waiting = new Set((await listWaitingDays(store)).map(({ progress }) => progress.day));
  const left = (await listArchivedDays(store)).filter(
    ({ figures, origin }) =>
      !waiting.has(figures.day) && files.some(({ sha256 }) => sha256 === origin.file_sha256),
  );
  if (left.length === 0) return undefined;
  const failed = new Set(files.flatMap(({ failed_days = [] }) => failed_days));
  const untried = left.filter(({ figures }) => !failed.has(figures.day));
  const open = untried.length > 0 ? untried : left;
  const by = provingFile(files)?.proving?.by === 'fees' ? 'chance' : 'fees';
  const feesOf = ({ figures }: ArchivedDay) => totalFees(figures.totals.fees);
  const dearest = open.reduce((best, day) => (feesOf(day) > feesOf(best) ? day : best));
  // Where a day must link to a proven block, others than the newest would wait for the days after them.
  const newest = network.isProofRequired ? open.at(-1) : undefined;
  const chosen = newest ?? (by === 'fees' ? dearest : open[randomInt(open.length)]);
  if (!chosen) return undefined;
  const proving = { day: chosen.figures.day, since: new Date(now).toISOString(), by } as const;
  return changeArchiveFile(store, chosen.origin.file_sha256, () => ({ proving }));
}
