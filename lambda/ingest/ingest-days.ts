import type { SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { NoEndpointError } from '../rpc/ask.ts';
import {
  type Checkpoint,
  deleteCheckpoint,
  firstRestatement,
  getCheckpoint,
  type Progress,
  saveCheckpoint,
} from '../store/checkpoints.ts';
import { restatementOf } from '../store/days.ts';
import type { Table } from '../store/table.ts';
import { type BlockStream, openBlockStream } from './block-stream.ts';
import { ContradictedError, type Start } from './confirmed-blocks.ts';
import { beginDay, checkEnd } from './day-bounds.ts';
import { advance, isAfter } from './progress.ts';
import {
  DayConflictError,
  finishIfFinal,
  finishRestatement,
  oldestMissingDay,
  publishDay,
  restateDay,
} from './publish.ts';
import type { SummedBlock } from './read-block.ts';
import type { Outcome, Tally } from './report.ts';
import type { Source } from './roll-call.ts';
import { TooEarlyError } from './second-look.ts';

/** What the days of a run have in common. */
export interface DayRun {
  readonly source: Source;
  readonly table: Table;
  /** The first day to ingest. */
  readonly from: UtcDay;
  readonly tally: Tally;
  readonly onBlock?: ((block: SeenBlock) => void) | undefined;
}

type End = Exclude<Outcome, 'failed' | 'conflict'>;

const CHECKPOINT_EVERY_MS = 5_000;

/**
 * Reads the missing days, the oldest first, up to the head; then those that are to be restated, so that one that cannot be
 * read again holds up no other.
 * @throws what ends the run; its progress is saved
 */
export async function ingestDays(run: DayRun): Promise<End> {
  // What a crash left undone comes first: whoever keeps days in memory does not know yet that one has changed.
  await nextRestatement(run);
  try {
    const end = await ingestMissingDays(run);
    if (end !== 'up to date') return end;
  } catch (error) {
    if (!isAboutBlocks(error)) throw error;
    // The day before may be the wrong one, and be asked to be restated for that very reason.
    const second = await restateDays(run).catch((other: unknown) => other);
    // What ended the run is told, unless the other is what a person must hear of.
    throw second instanceof DayConflictError ? second : error;
  }
  return restateDays(run);
}

/** Whether endpoints or what was read of them before are the reason, and not this code, the table or the time. */
export const isAboutBlocks = (error: unknown): error is Error =>
  [BlockError, NoEndpointError, ContradictedError, DayConflictError, TooEarlyError].some(
    (kind) => error instanceof kind,
  );

async function ingestMissingDays(run: DayRun): Promise<End> {
  const { source, table, tally } = run;
  const chain = source.chain.name;
  let { from } = run;
  let stream: BlockStream | undefined;
  try {
    for (;;) {
      source.asking.signal.throwIfAborted();
      const day = await oldestMissingDay(table, chain, from);
      if (startOfDay(day) > source.head.timestamp) return 'up to date';
      const checkpoint = await getCheckpoint(table, chain, day);
      const progress = checkpoint.progress ?? (await beginDay(source, table, day));
      if (progress.day !== day) {
        // The chain begins later than the start date.
        from = progress.day;
        continue;
      }
      tally.reached = progress.notBefore;
      // A stream that has come to the end of the day before goes on, with all that is read ahead.
      if (!stream?.isAt(startOf(progress))) {
        await stream?.close();
        stream = openBlockStream(source, startOf(progress));
      }
      const end = await readDay(run, stream, checkpoint, progress);
      if (typeof end === 'string') return end;
      await publishDay(table, chain, end.whole, end.next, source.asking.clock.now());
      tally.days.push(day);
    }
  } finally {
    await stream?.close();
  }
}

/**
 * Reads one day alone, whatever is missing before it: so that many days can be read at once.
 * @throws what ends the run; its progress is saved
 */
export async function ingestDay(run: DayRun, day: UtcDay): Promise<End> {
  const { source, table, from, tally } = run;
  const chain = source.chain.name;
  if (startOfDay(day) > source.head.timestamp) return 'up to date';
  let checkpoint: Checkpoint | undefined = await getCheckpoint(table, chain, day);
  if (!checkpoint.progress) {
    const begun = await beginDay(source, table, day);
    if (begun.day !== day) {
      throw new DayConflictError(`${chain} has no ${day}: it begins on ${begun.day} only`);
    }
    // Saved even if the day is read in no time: it is what a crash right after the publication is known by.
    checkpoint = await saveCheckpoint(table, chain, checkpoint, begun);
  }
  if (!checkpoint?.progress) return 'overtaken by another run';
  tally.reached = checkpoint.progress.notBefore;
  const stream = openBlockStream(source, startOf(checkpoint.progress));
  try {
    const end = await readDay(run, stream, checkpoint, checkpoint.progress);
    if (typeof end === 'string') return end;
    await publishDay(table, chain, end.whole, end.next, source.asking.clock.now());
    tally.days.push(day);
    tally.final = await finishIfFinal(table, chain, day, from);
    return 'up to date';
  } catch (error) {
    // It began where timestamps said, and that may be what does not fit: it is not gone on from.
    if (error instanceof DayConflictError && !(await finishIfFinal(table, chain, day, from))) {
      await deleteCheckpoint(table, chain, { day });
    }
    throw error;
  } finally {
    await stream.close();
  }
}

async function restateDays(run: DayRun): Promise<End> {
  const { source, table, tally } = run;
  const { name } = source.chain;
  for (;;) {
    source.asking.signal.throwIfAborted();
    const checkpoint = await nextRestatement(run);
    if (!checkpoint?.restatement) return 'up to date';
    const { day, restatement } = checkpoint;
    const progress = checkpoint.progress ?? (await beginDay(source, table, day));
    if (progress.day !== day) {
      throw new DayConflictError(`${name} ${day} is final, but the chain begins on ${progress.day} only`);
    }
    const stream = openBlockStream(source, startOf(progress));
    try {
      const end = await readDay(run, stream, checkpoint, progress);
      if (typeof end === 'string') return end;
      await restateDay(table, name, end.whole, restatement, source.asking.clock.now());
      tally.restated.push(day);
    } finally {
      await stream.close();
    }
  }
}

/** The restatement to work on next, once what is left of those that are done is done too. */
async function nextRestatement({ source, table, from }: DayRun): Promise<Checkpoint | undefined> {
  const { name } = source.chain;
  for (;;) {
    const checkpoint = await firstRestatement(table, name);
    if (!checkpoint?.restatement) return undefined;
    const { day, restatement } = checkpoint;
    const state = await restatementOf(table, name, day, restatement);
    if (state === 'open') return checkpoint;
    const isEndMoved = state !== 'void' && state.isEndMoved;
    await finishRestatement(table, name, day, restatement, { isEndMoved, from });
  }
}

const startOf = ({ last, notBefore }: Progress): Start => ({ block: last, notBefore });

/** @returns the progress when the day is whole; its last block and the one after it have been looked at again */
async function readDay(
  { source, table, tally, onBlock }: DayRun,
  stream: BlockStream,
  start: Checkpoint,
  begun: Progress,
): Promise<End | { whole: Progress; next: SummedBlock }> {
  const { chain, asking } = source;
  const { clock } = asking;
  let checkpoint = start;
  let progress = begun;
  let saveAt = clock.now() + CHECKPOINT_EVERY_MS;
  const save = async (reached: Progress | undefined) => {
    if (reached === begun || reached === checkpoint.progress) return true;
    const saved = await saveCheckpoint(table, chain.name, checkpoint, reached);
    if (saved) checkpoint = saved;
    return saved !== undefined;
  };
  try {
    for (let block = await stream.peek(); block; block = await stream.peek()) {
      if (isAfter(progress, block)) {
        await checkEnd(source, progress, block);
        return { whole: progress, next: block };
      }
      progress = advance(progress, block);
      stream.take();
      tally.blocks += 1;
      onBlock?.(block);
      if (!start.restatement) tally.reached = block.timestamp;
      if (clock.now() < saveAt) continue;
      if (!(await save(progress))) return 'overtaken by another run';
      saveAt = clock.now() + CHECKPOINT_EVERY_MS;
    }
  } catch (error) {
    // What is lost without this save is time only; why the run ends is what must be told.
    await save(error instanceof ContradictedError ? undefined : progress).catch(() => {});
    throw error;
  }
  return (await save(progress)) ? 'up to date' : 'overtaken by another run';
}
