import { createHash } from 'node:crypto';
import type { AnchoredNetwork } from '../../core/anchor/network.ts';
import { nodeBlocks, nodeHeaders } from '../../core/blocks/nodes/node-blocks.ts';
import { searchIn } from '../../core/days/find-day-start.ts';
import type { BlockRef, SummedBlock } from '../../core/figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { type DayDetails, type DayFigures, DEFINITION_VERSION } from '../../core/figures/day-figures.ts';
import { advance, type DayProgress, startDayProgress } from '../../core/figures/progress.ts';
import type { RequestContext } from '../../core/rpc/deadline.ts';
import type { Upstream } from '../../core/rpc/upstream.ts';
import { partsOfDay } from '../../core/store/days/compare-figures.ts';
import { toDetailAttributes } from '../../core/store/days/details.ts';
import { givenBlocks, openNetwork } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';

/** A day with its details, which are undefined when it was imported without them. */
export interface DetailedDay extends DayFigures {
  readonly details?: DayDetails | undefined;
}

/** Returns the figures of a day by name. Its hours and its distribution are too many to show, so they are digests. */
export const partsOf = ({ details, ...figures }: DetailedDay) => ({
  ...partsOfDay(figures),
  hours: details && digestOf(toDetailAttributes(details).hours),
  distribution: details && digestOf(toDetailAttributes(details).fee_counts),
});

const digestOf = (value: unknown): string =>
  `0x${createHash('sha256')
    .update(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
    .digest('hex')}`;

/** A day recomputed from a single endpoint. */
export interface Recomputed {
  readonly host: string;
  readonly figures: DetailedDay;
  readonly progress: DayProgress;
  /** The first block of a later day. */
  readonly next: BlockRef;
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
  const readable = upstreams.filter(({ endpoint }) => !endpoint.isAnchorOnly);
  for (const [index, upstream] of readable.entries()) {
    try {
      using turn = contextOfTurn(options.context);
      const recomputed = await recompute(served, day, upstream, { ...options, context: turn.context });
      return { recomputed, untried: readable.slice(index + 1), reasons };
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

/** Aborts an endpoint's requests when its turn is over, or when it gives the same unproven block twice, which would be retried for a minute. */
function contextOfTurn(context: RequestContext) {
  const end = new AbortController();
  const signal = AbortSignal.any([context.signal, end.signal]);
  const refused = new Set<string>();
  const onFault: RequestContext['onFault'] = (host, kind, reason) => {
    context.onFault(host, kind, reason);
    if (kind !== 'not proven') return;
    if (refused.has(reason)) end.abort(new CommandError(reason));
    refused.add(reason);
  };
  const endTurn = () => end.abort(new Error('the endpoint was tried'));
  return { context: { ...context, signal, onFault }, [Symbol.dispose]: endTurn };
}

/** Recomputes a day from one endpoint and no stored data. @throws CommandError when it does not provide the day */
async function recompute(
  served: ServedChain,
  day: UtcDay,
  upstream: Upstream,
  { context, onBlock }: RecomputeOptions,
): Promise<Recomputed> {
  const { host } = upstream.endpoint;
  const network = await openNetwork({ ...served, quorum: 1 }, [upstream], context);
  checkFinalized(network, host, day);
  const end = await boundaryAt(network, upstream, addDays(day, 1), network.anchor);
  if (!end.first || !end.before) throw new CommandError(`${host}: its chain begins after ${day}`);
  const { before } = await boundaryAt(network, upstream, day, end.first);
  let progress = startDayProgress(day, before && { number: before.number, hash: before.hash });
  const from = { block: progress.last, notBefore: progress.notBefore };
  for await (const block of givenBlocks(nodeBlocks(network).blocks(from, end.before))) {
    progress = advance(progress, block);
    onBlock(block);
  }
  const { totals, parentHash, first, hours, feeCounts } = progress;
  const last = { number: end.before.number, hash: end.before.hash };
  const figures = { day, totals, parentHash, first, last, definitionVersion: DEFINITION_VERSION };
  return { host, progress, next: end.first, figures: { ...figures, details: { hours, feeCounts } } };
}

/** @param end a block at or after the beginning of the day */
async function boundaryAt(network: AnchoredNetwork, upstream: Upstream, day: UtcDay, end: BlockRef) {
  const found = await searchIn(network, nodeHeaders(upstream), startOfDay(day), end);
  if (found.kind === 'no endpoint') throw new CommandError(found.reason);
  return found;
}

function checkFinalized({ anchor }: AnchoredNetwork, host: string, day: UtcDay): void {
  if (anchor.timestamp >= startOfDay(addDays(day, 1))) return;
  const time = new Date(anchor.timestamp * 1_000).toISOString();
  throw new CommandError(
    `${host}: its newest finalized block, ${anchor.number}, is from ${time}, before the day ends`,
  );
}
