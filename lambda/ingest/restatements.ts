import type { UtcDay } from '../chains/utc-day.ts';
import { openBlockStream } from './blocks/stream.ts';
import { republishDay } from './complete-day.ts';
import { findDayStart } from './day-boundaries.ts';
import { type DayOutcome, type DayRun, ingestDay, startOf } from './ingest-day.ts';
import { conflict, type RunEnd } from './outcomes.ts';
import { nextRestatement, type OpenRestatement } from './plan.ts';
import { settleRestatements } from './recover.ts';

/**
 * Reads the days again whose restatement was requested, the earliest first.
 * @param day only this day
 * @returns `up to date` when none is open
 */
export async function restateDays(run: DayRun, day?: UtcDay): Promise<RunEnd> {
  for (;;) {
    run.source.context.signal.throwIfAborted();
    const open = await nextRestatement(run.store, day);
    if (!open) return { kind: 'up to date' };
    const outcome = await restateDay(run, open);
    if (outcome.kind !== 'complete') return outcome;
    await republishDay(run.store, outcome.day, open.restatement, run.source.context.clock.now());
    await settleRestatements(run.store, run.from, day);
    run.stats.restated.push(open.day);
    await run.sendEvents();
  }
}

async function restateDay(run: DayRun, open: OpenRestatement): Promise<DayOutcome> {
  const { source, store } = run;
  let { progress } = open;
  if (!progress) {
    const start = await findDayStart(source, store, open.day);
    if (start.kind !== 'begun') return start;
    progress = start.progress;
  }
  if (progress.day !== open.day) {
    return conflict(
      `${source.chain.name} ${open.day} is final, but the chain begins on ${progress.day}. Delete that day.`,
    );
  }
  const stream = openBlockStream(source, startOf(progress));
  try {
    return await ingestDay(run, stream, open, progress);
  } finally {
    await stream.close();
  }
}
