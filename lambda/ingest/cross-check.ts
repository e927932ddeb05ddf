import type { BlockHeader, BlockRef, KnownBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { type NoEndpointError, noEndpointErrors, noneOfThem } from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Source, upstreamsFor } from './endpoint-probe.ts';
import { readHeader } from './read-block.ts';

/** How often an endpoint that has to vouch for a block alone must say the same: behind one address stand many machines. */
const TIMES_ALONE = 5;

/** Of a block this old, endpoints that do not confirm it are behind or broken, and not just a little later. */
const OLD_MS = 2 * 3_600_000;

/** A block is final to the endpoint that gave it, but to no other yet. */
export class TooEarlyError extends Error {}

/**
 * Asks for a block that much depends on once more, of endpoints other than the one that gave it, to which it is final too.
 * Its hash stands for all blocks before it, since each names its parent; its timestamp decides which day it belongs to,
 * and no check of a single block can find that wrong. Where no other can confirm it, because there is none, none has it, or
 * none has come to do so in hours, the one that gave it is asked again.
 * @returns `contradicted` when nobody tells the same of it any more, not even the one that gave it
 * @throws BlockError when some stand by it and some contradict; NoEndpointError when those that may know it do not
 *   answer, TooEarlyError when it is not final to them
 */
export async function crossCheck(source: Source, seen: KnownBlock): Promise<'canonical' | 'orphaned'> {
  const upstreams = upstreamsFor(source, seen.number);
  const isGiver = ({ endpoint }: Upstream) => endpoint.host === seen.host;
  const others = await look(
    source,
    upstreams.filter((upstream) => !isGiver(upstream)),
    seen,
  );
  if (others.headers.some((header) => isSame(header, seen))) return 'canonical';
  const isOld = source.context.clock.now() - (seen.timestamp ?? 0) * 1_000 > OLD_MS;
  if (others.headers.length === 0 && !isOld) {
    if (others.refusals.some(mayKnow)) throw unanswered(source, seen, others.refusals);
    if (source.present.some(({ upstream, head }) => !isGiver(upstream) && head.number < seen.number)) {
      throw new TooEarlyError();
    }
  }

  const alone = upstreams.filter(isGiver).flatMap((giver) => Array<Upstream>(TIMES_ALONE).fill(giver));
  const own = await look(source, alone, seen);
  const standing = own.headers.find((header) => isSame(header, seen));
  const contradiction = [...others.headers, ...own.headers].find((header) => !isSame(header, seen));
  const isUnheard = own.headers.length === 0 && own.refusals.some(mayKnow);
  if (contradiction && !standing && !isUnheard) return 'orphaned';
  if (!standing || (!contradiction && own.refusals.length > 0)) {
    throw unanswered(source, seen, [...others.refusals, ...own.refusals]);
  }
  if (!contradiction) return 'canonical';
  throw new BlockError(
    { chain: source.chain.name, block: seen.number },
    `it is told of differently: by ${standing.host} as ${standing.hash} at ${standing.timestamp}, ` +
      `by ${contradiction.host} as ${contradiction.hash} at ${contradiction.timestamp}. If that goes on, take the wrong one out`,
  );
}

const isSame = (header: BlockHeader, { hash, timestamp = header.timestamp }: KnownBlock) =>
  header.hash === hash && header.timestamp === timestamp;

/** What each of some endpoints tells of a block, and why others do not. */
async function look(source: Source, upstreams: readonly Upstream[], { number }: BlockRef) {
  const answers = await Promise.allSettled(
    upstreams.map((upstream) => readHeader(source, number, { from: [upstream] })),
  );
  source.context.signal.throwIfAborted();
  return {
    headers: answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
    refusals: noEndpointErrors(
      answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
    ),
  };
}

const mayKnow = ({ isUnavailable }: NoEndpointError) => !isUnavailable;

const unanswered = ({ chain }: Source, { number }: BlockRef, refusals: readonly NoEndpointError[]) =>
  noneOfThem(`a second look at ${chain.name} block ${number}`, refusals);
