import type { BlockHeader, BlockRef, KnownBlock, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { combineErrors, type NoEndpointError, noEndpointErrors } from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Source, upstreamsFor } from './endpoint-probe.ts';
import { readHeader } from './read-block.ts';

/** Requests to an endpoint that is the only one to confirm a block: many machines may answer behind one address. */
const REQUESTS_ALONE = 5;

/** An endpoint that does not have a block of this age is broken, not just late. */
const OLD_MS = 2 * 3_600_000;

/** No other endpoint calls the block final yet. */
export class TooEarlyError extends Error {}

/**
 * Reads a block again from the endpoints other than the one that returned it. Its hash covers all blocks before it; its
 * timestamp decides its day, and no check of a single block can find a wrong timestamp. When no other endpoint can confirm the
 * block, because there is none or none had it for hours, the same endpoint is asked again, several times.
 * @returns `orphaned` when no endpoint has this block any more
 * @throws BlockError when endpoints disagree; NoEndpointError when endpoints that may have the block do not answer;
 *   TooEarlyError when it is not final to the other endpoints yet
 */
export async function crossCheck(source: Source, seen: KnownBlock): Promise<'canonical' | 'orphaned'> {
  const upstreams = upstreamsFor(source, seen.number);
  const isSameHost = ({ endpoint }: Upstream) => endpoint.host === seen.host;
  const others = await readHeaders(
    source,
    upstreams.filter((upstream) => !isSameHost(upstream)),
    seen,
  );
  if (others.headers.some((header) => isSame(header, seen))) return 'canonical';
  const isOld = source.context.clock.now() - (seen.timestamp ?? 0) * 1_000 > OLD_MS;
  if (others.headers.length === 0 && !isOld) {
    if (others.errors.some(mayHaveBlock)) throw unanswered(source, seen, others.errors);
    if (source.present.some(({ upstream, head }) => !isSameHost(upstream) && head.number < seen.number)) {
      throw new TooEarlyError();
    }
  }

  const repeated = upstreams
    .filter(isSameHost)
    .flatMap((upstream) => Array<Upstream>(REQUESTS_ALONE).fill(upstream));
  return compare(source, seen, others, await readHeaders(source, repeated, seen));
}

/** Decides without a confirmation of another endpoint. */
function compare(source: Source, seen: KnownBlock, others: Responses, own: Responses) {
  const confirmation = own.headers.find((header) => isSame(header, seen));
  const contradiction = [...others.headers, ...own.headers].find((header) => !isSame(header, seen));
  const isSilent = own.headers.length === 0 && own.errors.some(mayHaveBlock);
  if (contradiction && !confirmation && !isSilent) return 'orphaned';
  if (!confirmation || (!contradiction && own.errors.length > 0)) {
    throw unanswered(source, seen, [...others.errors, ...own.errors]);
  }
  if (!contradiction) return 'canonical';
  throw new BlockError(
    { chain: source.chain.name, block: seen.number },
    `endpoints disagree: ${confirmation.host} reports ${confirmation.hash} at ${confirmation.timestamp}, ` +
      `${contradiction.host} reports ${contradiction.hash} at ${contradiction.timestamp}. If this persists, remove the faulty one`,
  );
}

const isSame = (header: BlockHeader, { hash, timestamp = header.timestamp }: KnownBlock) =>
  header.hash === hash && header.timestamp === timestamp;

interface Responses {
  readonly headers: readonly (BlockHeader & SeenBlock)[];
  readonly errors: readonly NoEndpointError[];
}

/** Reads a header from each of some endpoints. */
async function readHeaders(
  source: Source,
  upstreams: readonly Upstream[],
  { number }: BlockRef,
): Promise<Responses> {
  const results = await Promise.allSettled(
    upstreams.map((upstream) => readHeader(source, number, { from: [upstream] })),
  );
  source.context.signal.throwIfAborted();
  return {
    headers: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: noEndpointErrors(
      results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
    ),
  };
}

const mayHaveBlock = ({ isUnavailable }: NoEndpointError) => !isUnavailable;

const unanswered = ({ chain }: Source, { number }: BlockRef, errors: readonly NoEndpointError[]) =>
  combineErrors(`the cross-check of ${chain.name} block ${number}`, errors);
