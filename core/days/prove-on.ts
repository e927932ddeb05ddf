import { randomInt } from 'node:crypto';
import { createBlockReader } from '../blocks/block-stream.ts';
import { nodeBlocks } from '../blocks/nodes/node-blocks.ts';
import type { UtcDay } from '../figures/calendar.ts';
import { totalFees } from '../figures/fee-parts.ts';
import { within } from '../rpc/deadline.ts';
import {
  type ArchiveFile,
  changeArchiveFile,
  lastProving,
  listArchiveFiles,
  type Proving,
} from '../store/days/archive-files.ts';
import { type ArchivedDay, getArchivedDay, listArchivedDays } from '../store/days/archived-days.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { listWaitingDays } from '../store/days/waiting-days.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { DayRun } from './day-run.ts';
import { type DayOutcome, ingestDay } from './ingest-day.ts';
import { stateOf } from './reading-order.ts';
import type { Conflict } from './undo.ts';

/* Scheduled runs prove archived days with the time that they have left, so that less and less has to be believed. */

const DAY_MS = 24 * 3_600_000;
/** Time to save the progress and to end the run. */
const RESERVE_MS = 15_000;

/**
 * Proves an archived day, or a part of one.
 * @param perDay days to begin in 24 hours
 * @param stopAt end of the run, milliseconds since 1970
 * @returns a conflict when the proof contradicts the archive; a failure is noted beside the file, because it concerns no final day
 */
export async function proveOn(run: DayRun, perDay: number, stopAt: number): Promise<Conflict | undefined> {
  const { store, source } = run;
  const now = source.context.clock.now();
  const ms = stopAt - now - RESERVE_MS;
  const files = ms > RESERVE_MS ? await listArchiveFiles(store) : [];
  const last = lastProving(files);
  const isDue = last === undefined || now - Date.parse(last.since) >= DAY_MS / perDay;
  const day = isDue ? await beginNext(run, files, last, now) : await openDay(store, last);
  if (day === undefined) return undefined;
  const end = await within(source.context, ms, (context) =>
    readOn({ ...run, source: { ...source, context } }, day),
  );
  if (end?.kind === 'conflict') return end;
  // In all other cases the day is done, or a later run continues it.
  if (end?.kind === 'no endpoint' || end?.kind === 'failed' || end?.kind === 'rule changed')
    await noteProblem(store, day, end.reason);
  return undefined;
}

async function readOn(run: DayRun, day: UtcDay): Promise<DayOutcome> {
  const blocks = nodeBlocks(run.source);
  await using reader = createBlockReader(blocks);
  return ingestDay({ ...run, blocks }, reader, await getCheckpoint(run.store, day));
}

/** Returns the day that was begun last if there is more to do. */
async function openDay(store: ChainStore, { day, problem }: Proving): Promise<UtcDay | undefined> {
  if (problem !== undefined || (await stateOf(store, day))) return undefined;
  return (await getArchivedDay(store, day)) && day;
}

async function beginNext(
  { store, source }: DayRun,
  files: readonly ArchiveFile[],
  last: Proving | undefined,
  now: number,
): Promise<UtcDay | undefined> {
  if (files.length === 0) return undefined;
  const [archived, waiting] = await Promise.all([listArchivedDays(store), listWaitingDays(store)]);
  const open = archived.filter(
    ({ figures, origin }) =>
      files.some(({ sha256 }) => sha256 === origin.file_sha256) &&
      !waiting.some(({ progress }) => progress.day === figures.day),
  );
  const by = last?.by === 'fees' ? 'chance' : 'fees';
  // Where a day must link to a proven block, others than the newest would wait for the days after them.
  const chosen = source.isProofRequired ? open.at(-1) : by === 'fees' ? dearest(open) : oneOf(open);
  if (!chosen) return undefined;
  const { day } = chosen.figures;
  await changeArchiveFile(store, chosen.origin.file_sha256, (file) => ({
    ...(file as ArchiveFile),
    proving: { day, since: new Date(now).toISOString(), by },
  }));
  return day;
}

const dearest = (days: readonly ArchivedDay[]): ArchivedDay | undefined =>
  days.toSorted((a, b) => (feesOf(a) < feesOf(b) ? 1 : -1))[0];

const feesOf = ({ figures }: ArchivedDay): bigint => totalFees(figures.totals.fees);

const oneOf = (days: readonly ArchivedDay[]): ArchivedDay | undefined =>
  days.length === 0 ? undefined : days[randomInt(days.length)];

async function noteProblem(store: ChainStore, day: UtcDay, problem: string): Promise<void> {
  const files = await listArchiveFiles(store);
  for (const { sha256, proving } of files)
    if (proving?.day === day)
      await changeArchiveFile(store, sha256, (file) => ({
        ...(file as ArchiveFile),
        proving: { ...proving, problem },
      }));
}
