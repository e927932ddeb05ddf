import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Checkpoint, Progress } from '../store/checkpoint-item.ts';
import { saveCheckpoint } from '../store/checkpoints.ts';
import type { Start, StreamEnd } from './blocks/confirm.ts';
import type { SummedBlock } from './blocks/read.ts';
import type { BlockStream } from './blocks/stream.ts';
import type { CompleteDay } from './complete-day.ts';
import { confirmDayEnd } from './day-boundaries.ts';
import type { Source } from './endpoints.ts';
import type { RunEnd, Stop } from './outcomes.ts';
import { advance, isAfter } from './progress.ts';
import type { RunStats } from './report.ts';
import { ruleChange } from './tripwire.ts';

/** Everything that the days of one run share. */
export interface DayRun {
  readonly source: Source;
  readonly store: ChainStore;
  /** First day to ingest. */
  readonly from: UtcDay;
  readonly stats: RunStats;
  /** Sends the events of days that became final. */
  readonly sendEvents: () => Promise<void>;
  readonly onBlock?: ((block: SeenBlock) => void) | undefined;
}

/** The outcome of reading a day. */
export type DayOutcome = { readonly kind: 'complete'; readonly day: CompleteDay } | RunEnd;

const CHECKPOINT_EVERY_MS = 5_000;

/** Returns the place that the day's next block must continue from. */
export const startOf = ({ last, notBefore }: Progress): Start => ({ block: last, notBefore });

/**
 * Reads the rest of a day. Saves its progress every few seconds and when it stops.
 * @param start the checkpoint that is stored
 * @param begun the progress to continue from
 */
export async function ingestDay(
  run: DayRun,
  stream: BlockStream,
  start: Checkpoint,
  begun: Progress,
): Promise<DayOutcome> {
  const { clock } = run.source.context;
  const save = saver(run.store, start, begun);
  let progress = begun;
  let saveAt = clock.now() + CHECKPOINT_EVERY_MS;
  try {
    for (;;) {
      const next = await stream.peek();
      if (next.kind !== 'block') return await stopAt(next, progress, save);
      if (isAfter(progress, next.block)) return await complete(run, progress, next.block, save);
      progress = advance(progress, next.block);
      stream.take();
      count(run, start, next.block);
      if (clock.now() < saveAt) continue;
      if (!(await save(progress))) return { kind: 'overtaken' };
      saveAt = clock.now() + CHECKPOINT_EVERY_MS;
    }
  } catch (error) {
    // The run is out of time. Without this save only time is lost.
    await save(progress).catch(() => {});
    throw error;
  }
}

type Save = (reached: Progress | undefined) => Promise<boolean>;

/** @returns a function that saves progress, and returns false when another run was faster */
function saver(store: ChainStore, start: Checkpoint, begun: Progress): Save {
  let checkpoint = start;
  return async (reached) => {
    if (reached === begun || reached === checkpoint.progress) return true;
    const saved = await saveCheckpoint(store, checkpoint, reached);
    if (saved) checkpoint = saved;
    return saved !== undefined;
  };
}

function count({ stats, onBlock }: DayRun, { restatement }: Checkpoint, block: SummedBlock): void {
  stats.blocks += 1;
  onBlock?.(block);
  if (!restatement) stats.reached = block.timestamp;
}

async function stopAt(end: StreamEnd | Stop, progress: Progress, save: Save): Promise<DayOutcome> {
  switch (end.kind) {
    case 'head reached':
      return (await save(progress)) ? { kind: 'up to date' } : { kind: 'overtaken' };
    case 'orphaned':
      await save(undefined).catch(() => {});
      return end;
    default:
      // The reason why the run stops must not get lost over a failed save.
      await save(progress).catch(() => {});
      return end;
  }
}

/** Confirms the end of a day whose blocks are all counted. */
async function complete(run: DayRun, progress: Progress, next: SummedBlock, save: Save): Promise<DayOutcome> {
  const end = await confirmDayEnd(run.source, progress, next);
  if (end.kind !== 'confirmed') return stopAt(end, progress, save);
  const change = await ruleChange(run.source, progress);
  if (change) return stopAt(change, progress, save);
  return { kind: 'complete', day: { progress, next, confirmedBy: end.hosts } };
}
