import type { BlockHeader, KnownBlock, SeenBlock } from '../../chains/block.ts';
import { type NoEndpoint, noneOf } from '../../rpc/retry.ts';
import type { Upstream } from '../../rpc/upstream.ts';
import { type Source, upstreamsFor } from '../endpoints.ts';
import { type Disputed, disputed, NOT_FINAL_YET, type NotFinalYet } from '../outcomes.ts';
import { readHeader } from './read.ts';

/** Requests to an endpoint that has to confirm a block alone: many machines may stand behind one address. */
const TIMES_ALONE = 5;

/** Milliseconds after which an endpoint without a block counts as behind or broken, and not as a little late. */
const OLD_MS = 2 * 3_600_000;

/** The result of a cross-check. */
export type CrossCheck =
  /** `hosts` confirmed the block, the giver among them only if it was asked again. */
  | { readonly kind: 'canonical'; readonly hosts: readonly string[] }
  /** No endpoint has the block any more, not even the one that gave it. */
  | { readonly kind: 'orphaned' }
  | Disputed
  | NoEndpoint
  | NotFinalYet;

/**
 * Requests a block again from endpoints other than the one that gave it. Its hash commits to all blocks before it, so this is the
 * one fact that is taken on trust. If no other endpoint can confirm it, because there is none, none has it, or none has had it
 * for hours, the giver is asked several times.
 */
export async function crossCheck(source: Source, seen: KnownBlock): Promise<CrossCheck> {
  const upstreams = upstreamsFor(source, seen.number);
  const isGiver = ({ endpoint }: Upstream) => endpoint.host === seen.host;
  const others = await requestFrom(
    source,
    upstreams.filter((upstream) => !isGiver(upstream)),
    seen,
  );
  const agreeing = others.headers.filter((header) => isSame(header, seen));
  if (agreeing.length > 0) return { kind: 'canonical', hosts: hostsOf(agreeing) };
  if (others.headers.length === 0 && !isOld(source, seen)) {
    if (others.failures.some(mayKnow)) return unconfirmed(source, seen, others.failures);
    const isBehind = ({ upstream, head }: Source['reachable'][number]) =>
      !isGiver(upstream) && head.number < seen.number;
    if (source.reachable.some(isBehind)) return NOT_FINAL_YET;
  }
  const giver = upstreams.filter(isGiver).flatMap((upstream) => Array<Upstream>(TIMES_ALONE).fill(upstream));
  return decideAlone(source, seen, others, await requestFrom(source, giver, seen));
}

/** The headers that endpoints gave for a block, and the failures of the others. */
interface Responses {
  readonly headers: readonly (BlockHeader & SeenBlock)[];
  readonly failures: readonly NoEndpoint[];
}

/** Decides from what the giver says now, where no other endpoint confirms its block. */
function decideAlone(source: Source, seen: KnownBlock, others: Responses, own: Responses): CrossCheck {
  const standing = own.headers.find((header) => isSame(header, seen));
  const other = [...others.headers, ...own.headers].find((header) => !isSame(header, seen));
  const isSilent = own.headers.length === 0 && own.failures.some(mayKnow);
  if (other && !standing && !isSilent) return { kind: 'orphaned' };
  if (!standing || (!other && own.failures.length > 0)) {
    return unconfirmed(source, seen, [...others.failures, ...own.failures]);
  }
  if (!other) return { kind: 'canonical', hosts: hostsOf(own.headers) };
  return disputed(
    source.chain.name,
    seen.number,
    `endpoints disagree. ${standing.host} reports ${standing.hash} at ${standing.timestamp}, ` +
      `${other.host} reports ${other.hash} at ${other.timestamp}. If this persists, remove the faulty endpoint`,
  );
}

const isOld = ({ context }: Source, { timestamp = 0 }: KnownBlock) =>
  context.clock.now() - timestamp * 1_000 > OLD_MS;

const isSame = (header: BlockHeader, { hash, timestamp = header.timestamp }: KnownBlock) =>
  header.hash === hash && header.timestamp === timestamp;

const hostsOf = (headers: readonly SeenBlock[]) => [...new Set(headers.map(({ host }) => host))];

async function requestFrom(
  source: Source,
  upstreams: readonly Upstream[],
  { number }: KnownBlock,
): Promise<Responses> {
  const responses = await Promise.all(
    upstreams.map((upstream) => readHeader(source, number, { from: [upstream] })),
  );
  return {
    headers: responses.flatMap((response) => (response.kind === 'fetched' ? [response.value] : [])),
    failures: responses.flatMap((response) => (response.kind === 'fetched' ? [] : [response])),
  };
}

const mayKnow = ({ isUnavailable }: NoEndpoint) => !isUnavailable;

const unconfirmed = (
  { chain }: Source,
  { number }: KnownBlock,
  failures: readonly NoEndpoint[],
): NoEndpoint => noneOf(`a cross-check of ${chain.name} block ${number}`, failures);
