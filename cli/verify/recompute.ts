import { DEFINITION_VERSION } from '../../lambda/chains/definition.ts';
import { addDays, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { findFirstBlock } from '../../lambda/ingest/blocks/first-of-day.ts';
import { readHeader, type SummedBlock } from '../../lambda/ingest/blocks/read.ts';
import { type BlockStream, openBlockStream } from '../../lambda/ingest/blocks/stream.ts';
import type { Source } from '../../lambda/ingest/endpoints.ts';
import { startOf } from '../../lambda/ingest/ingest-day.ts';
import { advance, isAfter, startProgress } from '../../lambda/ingest/progress.ts';
import type { RequestContext } from '../../lambda/rpc/retry.ts';
import type { Upstream } from '../../lambda/rpc/upstream.ts';
import type { Progress } from '../../lambda/store/checkpoint-item.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';
import { probeChain } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';

/** A day recomputed from a single endpoint. */
export interface Recomputed {
  readonly host: string;
  readonly figures: DayFigures;
  readonly progress: Progress;
  /** The first block of a later day. */
  readonly next: SummedBlock;
}

export interface RecomputeOptions {
  readonly context: RequestContext;
  readonly onBlock: (block: SummedBlock) => void;
}

/**
 * Recomputes a day from the first endpoint that provides all of it. Never mixes endpoints, so that the figures have one source.
 * @returns also the endpoints not tried yet, and the reasons why earlier ones failed
 * @throws CommandError with the reason of each endpoint when all fail; the signal's reason when it aborts
 */
export async function recomputeFromFirst(
  served: ServedChain,
  day: UtcDay,
  upstreams: readonly Upstream[],
  options: RecomputeOptions,
): Promise<{ recomputed: Recomputed; untried: readonly Upstream[]; reasons: readonly string[] }> {
  const reasons: string[] = [];
  for (const [index, upstream] of upstreams.entries()) {
    try {
      const recomputed = await withReadAheadAborted(options, (own) => recompute(served, day, upstream, own));
      return { recomputed, untried: upstreams.slice(index + 1), reasons };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      reasons.push(error.message);
    }
  }
  throw new CommandError(
    `${served.name} ${day} cannot be recomputed: ${reasons.join('; ')}. ` +
      'Name an endpoint that provides the blocks and receipts of this day with --rpc-url.',
  );
}

/**
 * Aborts requests for blocks after the day, which are read ahead, when the day is complete; and all requests when the endpoint
 * twice gives the same block in a form that is not proven: it would be retried for a minute.
 */
async function withReadAheadAborted<T>(
  options: RecomputeOptions,
  run: (own: RecomputeOptions) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const signal = AbortSignal.any([options.context.signal, end.signal]);
  const refused = new Set<string>();
  const onFault: RequestContext['onFault'] = (host, kind, reason) => {
    options.context.onFault(host, kind, reason);
    if (kind !== 'not proven') return;
    if (refused.has(reason)) end.abort(new CommandError(reason));
    refused.add(reason);
  };
  try {
    return await run({ ...options, context: { ...options.context, signal, onFault } });
  } finally {
    end.abort(new Error('the day is complete'));
  }
}

/**
 * Recomputes a day from one endpoint and no stored data: the endpoint's timestamps delimit the day.
 * @throws CommandError with the reason why the endpoint does not provide the day
 */
async function recompute(
  served: ServedChain,
  day: UtcDay,
  upstream: Upstream,
  { context, onBlock }: RecomputeOptions,
): Promise<Recomputed> {
  const { host } = upstream.endpoint;
  const probe = await probeChain(served, [upstream], context);
  if (probe.kind === 'no endpoint') throw new CommandError(probe.reason);
  const { source } = probe;
  checkFinalized(source, host, day);
  const found = await findFirstBlock(served.name, startOfDay(day), source.head, (number, problemOf) =>
    readHeader(source, number, { problemOf }),
  );
  if (found.kind !== 'found') throw new CommandError(found.reason);
  const start = startProgress(day, found.before);
  const { progress, next } = await readDay(openBlockStream(source, startOf(start)), start, onBlock);
  const { totals, first, last } = progress;
  if (!last) throw new CommandError(`${host}: its chain begins after ${day}`);
  return {
    ...{ host, progress, next },
    figures: {
      ...{ day, totals, first },
      last: { number: last.number, hash: last.hash },
      definitionVersion: DEFINITION_VERSION,
    },
  };
}

async function readDay(stream: BlockStream, start: Progress, onBlock: RecomputeOptions['onBlock']) {
  let progress = start;
  for (;;) {
    const next = await stream.peek();
    if (next.kind !== 'block') throw new CommandError(unfinished(next));
    if (isAfter(progress, next.block)) return { progress, next: next.block };
    stream.take();
    progress = advance(progress, next.block);
    onBlock(next.block);
  }
}

/** @param end the end of a stream of blocks, or of its confirmation */
export const unfinished = (end: { readonly kind: string; readonly reason?: string }): string =>
  end.reason ?? 'no second endpoint has finalized its last block yet';

function checkFinalized({ head }: Source, host: string, day: UtcDay): void {
  if (head.timestamp >= startOfDay(addDays(day, 1))) return;
  const time = new Date(head.timestamp * 1_000).toISOString();
  throw new CommandError(
    `${host}: its newest finalized block, ${head.number}, is from ${time}, before the day ends`,
  );
}
