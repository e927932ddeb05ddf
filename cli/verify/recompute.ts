import { DEFINITION_VERSION } from '../../lambda/chains/definition.ts';
import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { confirmedBlocks } from '../../lambda/ingest/confirmed-blocks.ts';
import type { Source } from '../../lambda/ingest/endpoint-probe.ts';
import { findFirstBlock } from '../../lambda/ingest/first-block.ts';
import { isAboutBlocks } from '../../lambda/ingest/ingest-days.ts';
import { advance, isAfter, startProgress } from '../../lambda/ingest/progress.ts';
import { readHeader, type SummedBlock } from '../../lambda/ingest/read-block.ts';
import type { RequestContext } from '../../lambda/rpc/retry.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';
import { probeChain } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';

/** A day as a single endpoint tells it. */
export interface Recomputed {
  /** What the endpoint is called by. */
  readonly host: string;
  readonly figures: DayFigures;
  /** Every block of the day, in order: up to 432,000, of some hundred bytes each. */
  readonly blocks: readonly SummedBlock[];
}

/** How the days are read. */
export interface Reading {
  readonly context: RequestContext;
  /** Is told of each block that is counted. */
  readonly onBlock: (block: SummedBlock) => void;
}

/**
 * Reads a day from the first of some endpoints that can give all of it, and from that one alone, so that it is known whose
 * figures they are.
 * @returns also the endpoints that are left to ask, and why those before could not give it
 * @throws CommandError with the reason of each when none can; the signal's reason when that aborts
 */
export async function recomputeFromFirst(
  served: ServedChain,
  day: UtcDay,
  upstreams: readonly Upstream[],
  reading: Reading,
): Promise<{ recomputed: Recomputed; left: readonly Upstream[]; reasons: readonly string[] }> {
  const reasons: string[] = [];
  for (const [index, upstream] of upstreams.entries()) {
    try {
      const recomputed = await withOwnEnd(reading, (own) => recompute(served, day, upstream, own));
      return { recomputed, left: upstreams.slice(index + 1), reasons };
    } catch (error) {
      if (!isAboutBlocks(error) && !(error instanceof CommandError)) throw error;
      reasons.push(error.message);
    }
  }
  throw new CommandError(
    `${served.name} ${day} could not be recomputed. ${reasons.join('. ')}. ` +
      'Name a node that has the blocks and receipts of that day with --rpc-url.',
  );
}

/** Breaks off what is still read ahead when a day is over. */
async function withOwnEnd<T>(reading: Reading, read: (own: Reading) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const signal = AbortSignal.any([reading.context.signal, end.signal]);
  try {
    return await read({ ...reading, context: { ...reading.context, signal } });
  } finally {
    end.abort(new Error('the day is read'));
  }
}

/**
 * Adds a day up again from one endpoint, by nothing that is stored: the day begins where that endpoint's timestamps say,
 * and its blocks pass the checks and rules of the ingest.
 */
async function recompute(
  served: ServedChain,
  day: UtcDay,
  upstream: Upstream,
  { context, onBlock }: Reading,
): Promise<Recomputed> {
  const { host } = upstream.endpoint;
  const { chain } = served;
  const source = await probeChain(served, [upstream], context);
  checkReaches(source, host, day);
  const { before } = await findFirstBlock(chain.name, startOfDay(day), source.head, (number, check) =>
    readHeader(source, number, { check }),
  );
  const blocks: SummedBlock[] = [];
  let progress = startProgress(day, before);
  for await (const block of confirmedBlocks(source, { block: before, notBefore: progress.notBefore })) {
    if (isAfter(progress, block)) break;
    progress = advance(progress, block);
    blocks.push(block);
    onBlock(block);
  }
  const { totals, first, last } = progress;
  if (!last) throw new CommandError(`${host}: its chain begins after ${day}`);
  return {
    host,
    figures: {
      ...{ day, totals, first },
      last: { number: last.number, hash: last.hash },
      definitionVersion: DEFINITION_VERSION,
    },
    blocks,
  };
}

function checkReaches({ head }: Source, host: string, day: UtcDay): void {
  if (head.timestamp >= startOfDay(addDays(day, 1))) return;
  const time = new Date(head.timestamp * 1_000).toISOString();
  throw new CommandError(
    `${host}: its newest final block, ${head.number}, is of ${time}, before that day ends`,
  );
}
