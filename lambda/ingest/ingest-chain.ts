import type { BlockHeader } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { addDays, dayOf, later, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { NoEndpointError } from '../rpc/any-endpoint.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import { getCheckpoint, type Progress, saveCheckpoint } from '../store/checkpoints.ts';
import { getDay } from '../store/days.ts';
import { type Table, TableUnavailableError } from '../store/table.ts';
import { confirmedBlocks } from './confirmed-blocks.ts';
import { findFirstBlock } from './first-block.ts';
import { advance, nextBlockOf, startProgress } from './progress.ts';
import { DayConflictError, oldestMissingDay, publishDay } from './publish.ts';
import { readFinalizedHeader, readHeader } from './read-block.ts';

/** What one run works on. */
export interface IngestRun {
  readonly chain: Chain;
  /** In the order in which they are tried. */
  readonly endpoints: readonly Endpoint[];
  readonly table: Table;
  /** First day to ingest; days before the chain's first are passed over. */
  readonly from: UtcDay;
  /** Milliseconds since 1970: the run saves its progress and ends soon after. */
  readonly stopAt: number;
}

/** What one run did, in one line. */
export interface IngestReport {
  readonly chain: string;
  readonly outcome: 'up to date' | 'out of time' | 'overtaken by another run' | 'failed';
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  readonly blocks: number;
  /** Why it failed: every endpoint's reason, or the table's. */
  readonly reason?: string;
}

type Outcome = Exclude<IngestReport['outcome'], 'failed'>;

const CHECKPOINT_EVERY_MS = 5_000;

/**
 * Reads a chain's finalized blocks from where the last run stopped, the oldest missing day first, and publishes each
 * day of which every block is read and checked. It may end anywhere, and be run twice at once: that costs time only.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const tally: Tally = { days: [], blocks: 0 };
  try {
    const outcome = await ingestDays(run, tally);
    return { chain: run.chain.name, outcome, ...tally };
  } catch (error) {
    const isExpected = [BlockError, NoEndpointError, TableUnavailableError, DayConflictError].some(
      (expected) => error instanceof expected,
    );
    if (!isExpected) throw error;
    return { chain: run.chain.name, outcome: 'failed', ...tally, reason: (error as Error).message };
  }
}

interface Tally {
  days: UtcDay[];
  blocks: number;
}

async function ingestDays(run: IngestRun, tally: Tally): Promise<Outcome> {
  const { chain, endpoints, table } = run;
  const head = await readFinalizedHeader(chain, endpoints);
  let from = later(run.from, chain.firstDay);
  for (;;) {
    const day = await oldestMissingDay(table, chain.name, from);
    if (startOfDay(day) > head.timestamp) return 'up to date';
    const { sequence, progress = await beginDay(run, head, day) } = await getCheckpoint(
      table,
      chain.name,
      day,
    );
    if (progress.day !== day) {
      // The chain begins later than the start date.
      from = progress.day;
      continue;
    }
    const outcome = await ingestDay(run, head, { sequence, progress }, tally);
    if (outcome !== 'published') return outcome;
    tally.days.push(day);
  }
}

/** Where a day's blocks begin: after the day before, where that is final, else where the timestamps say. */
async function beginDay(run: IngestRun, head: BlockHeader, day: UtcDay): Promise<Progress> {
  const { chain, endpoints, table } = run;
  const dayBefore = await getDay(table, chain.name, addDays(day, -1));
  if (dayBefore) return startProgress(day, dayBefore.last);
  const { first, before } = await findFirstBlock(chain.name, startOfDay(day), head, (number) =>
    readHeader(chain, endpoints, number),
  );
  // Before genesis there is nothing to count, not even a zero: the chain's own first day is the first that can be.
  return startProgress(before ? day : later(day, dayOf(first.timestamp)), before);
}

async function ingestDay(
  { chain, endpoints, table, stopAt }: IngestRun,
  head: BlockHeader,
  start: { sequence: number; progress: Progress },
  tally: Tally,
): Promise<Outcome | 'published'> {
  let { sequence, progress } = start;
  let saved = progress;
  let saveAt = Math.min(Date.now() + CHECKPOINT_EVERY_MS, stopAt);
  const save = async () => {
    if (saved === progress) return true;
    saved = progress;
    return saveCheckpoint(table, chain.name, progress, sequence++);
  };
  try {
    for await (const block of confirmedBlocks(chain, endpoints, nextBlockOf(progress), head)) {
      const next = advance(chain.name, progress, block);
      if (next === 'complete') {
        await publishDay(table, chain, progress);
        return 'published';
      }
      progress = next;
      tally.blocks += 1;
      const now = Date.now();
      if (now < saveAt) continue;
      if (!(await save())) return 'overtaken by another run';
      if (now >= stopAt) return 'out of time';
      saveAt = Math.min(now + CHECKPOINT_EVERY_MS, stopAt);
    }
  } catch (error) {
    // Without this save, blocks are read again, and no more is lost; why the run ends is what must be told.
    await save().catch(() => {});
    throw error;
  }
  return (await save()) ? 'up to date' : 'overtaken by another run';
}
