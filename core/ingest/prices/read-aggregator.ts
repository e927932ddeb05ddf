import type { Chain } from '../../chains/chains.ts';
import type { BlockRef } from '../../figures/block.ts';
import { type AggregatorReading, NO_AGGREGATOR, NO_FEED } from '../../figures/dollars.ts';
import { loadKeccak } from '../../proof/encoding/keccak.ts';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { proveHeader } from '../../proof/header.ts';
import { decodeHeader } from '../../proof/json/decode-block.ts';
import { storageValue } from '../../proof/storage-proof.ts';
import { EndpointError, UNAVAILABLE_KINDS } from '../../rpc/endpoint.ts';
import { uncountedRpc } from '../../rpc/failover.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { callContract, getRawHeader, getStorageProof } from '../../rpc/methods.ts';
import type { Upstream } from '../../rpc/upstream.ts';
import { within } from '../deadline.ts';
import { type Hosts, upstreamsFor } from '../hosts.ts';

/*
 * Which contract records the prices of a feed. The feed's proxy names it in its storage, and changes it without an event.
 * https://github.com/smartcontractkit/chainlink: contracts/src/v0.6/AggregatorProxy.sol, `currentPhase`
 */

/** Slot of `currentPhase`: the number of the phase in its lowest 2 bytes, then the aggregator. */
const PHASE_SLOT = 2n;
const PHASE_BITS = 16n;
const ADDRESS_BITS = 160;
/** `aggregator()` */
const AGGREGATOR_CALL = '0x245a7bfc';
const WORD = /^0x[0-9a-f]{64}$/i;
/** Endpoints that are asked for a proof. */
const MAX_PROOFS = 2;
/** A run has more to do than wait for a node that stalls. */
export const MAX_READING_MS = 5_000;
/** Hosts that must agree where no endpoint proves anything. */
const CALLS = 2;

/** A block; one of which only the number is known, so that the reading proves nothing; or the latest. */
export type ReadAt = BlockRef | number | 'latest';

/** A reading, or why there is none. */
export type ReadingResult =
  | {
      readonly kind: 'read';
      readonly reading: AggregatorReading;
      /** Of the block, in seconds. */
      readonly timestamp: number;
    }
  | { readonly kind: 'not read'; readonly reason: string };

/**
 * Reads which aggregator a chain's feed uses after a block: by the proof of one endpoint, or else by the word of two hosts. An endpoint
 * that does not answer is not at fault: none needs to keep state. A feed without one names `NO_AGGREGATOR`.
 * @param at nodes keep the state of recent blocks alone, unless they are archives
 */
export async function readAggregator(source: Hosts, at: ReadAt): Promise<ReadingResult> {
  const proxy = source.chain.priceFeed?.proxy;
  if (proxy === undefined) return { kind: 'not read', reason: NO_FEED };
  await loadKeccak();
  const reasons: string[] = [];
  let block: ReadHeader | undefined;
  for (const upstream of upstreamsFor(source).filter(mayKnow(at)).slice(0, MAX_PROOFS)) {
    const attempt = await attemptOn(source, upstream, async (rpc) => {
      block ??= await readHeaderAt(source.chain, rpc, at);
      return readProof(proxy, rpc, block);
    });
    if (typeof attempt === 'string') reasons.push(attempt);
    else if (block) return { kind: 'read', reading: attempt, timestamp: block.timestamp };
  }
  return block
    ? callHosts({ source, proxy }, at, block, reasons)
    : { kind: 'not read', reason: reasons.join('. ') };
}

/** An endpoint that has refused the state of a past block is not asked again for one. */
const mayKnow = (at: ReadAt) => (upstream: Upstream) => at === 'latest' || !upstream.keepsNoPast;

interface ReadHeader extends BlockRef {
  readonly timestamp: number;
  readonly stateRoot: string;
}

async function readHeaderAt({ rules }: Chain, rpc: Rpc, at: ReadAt): Promise<ReadHeader> {
  const header = decodeHeader(await getRawHeader(rpc, typeof at === 'object' ? at.number : at));
  const hash = proveHeader(header, rules);
  const [number, timestamp] = [Number(header.number), Number(header.timestamp)];
  const block = { number, hash, timestamp, stateRoot: header.stateRoot };
  if (typeof at === 'object' && block.hash !== at.hash)
    throw new ProofError('hash', `block ${at.number} is ${block.hash}, not ${at.hash}`);
  return block;
}

async function readProof(
  proxy: string,
  rpc: Rpc,
  { number, hash, stateRoot }: ReadHeader,
): Promise<AggregatorReading> {
  const proof = await getStorageProof(rpc, proxy, PHASE_SLOT, number);
  const slot = storageValue(stateRoot, proxy, PHASE_SLOT, proof);
  const phase = slot.length === 0 ? 0n : BigInt(`0x${slot.toString('hex')}`);
  return { number, hash, aggregator: addressIn(phase >> PHASE_BITS), evidence: 'proven' };
}

const addressIn = (word: bigint): string =>
  `0x${BigInt.asUintN(ADDRESS_BITS, word).toString(16).padStart(40, '0')}`;

/** Calls the proxy at two hosts, which must agree. */
async function callHosts(
  { source, proxy: to }: { readonly source: Hosts; readonly proxy: string },
  at: ReadAt,
  block: ReadHeader,
  reasons: readonly string[],
): Promise<ReadingResult> {
  const { number, hash } = block;
  const firsts = source.hosts
    .flatMap(({ upstreams }) => upstreams.filter(mayKnow(at)).slice(0, 1))
    .slice(0, CALLS);
  const answers = await Promise.all(
    firsts.map((upstream) =>
      attemptOn(source, upstream, async (rpc) => {
        const call = callContract(rpc, { to, data: AGGREGATOR_CALL }, number);
        const answer = await call.catch((error) => {
          if (at !== 'latest' && UNAVAILABLE_KINDS.has(error.kind)) upstream.keepsNoPast = true;
          throw error;
        });
        const aggregator = WORD.test(answer) ? addressIn(BigInt(answer)) : NO_AGGREGATOR;
        return { number, hash, aggregator, evidence: 'reported' as const };
      }),
    ),
  );
  const [first, second] = answers.filter((answer) => typeof answer !== 'string');
  if (first && second?.aggregator === first.aggregator)
    return { kind: 'read', reading: first, timestamp: block.timestamp };
  const failures = answers.map((answer) => (typeof answer === 'string' ? answer : answer.aggregator));
  return {
    kind: 'not read',
    reason: [...reasons, `${CALLS} hosts do not agree: ${failures.join(', ')}`].join('. '),
  };
}

/** @returns the reason in place of an error */
async function attemptOn(
  { context, chain }: Hosts,
  upstream: Upstream,
  read: (rpc: Rpc) => Promise<AggregatorReading>,
): Promise<AggregatorReading | string> {
  try {
    const answer = await within(context, MAX_READING_MS, (limited) => read(uncountedRpc(limited, upstream)));
    return answer ?? `${upstream.endpoint.host}: no answer within ${MAX_READING_MS / 1_000} s`;
  } catch (error) {
    if (error instanceof EndpointError) return error.message;
    if (error instanceof ProofError)
      return `${upstream.endpoint.host}: ${chain.name}: ${error.field}: ${error.message}`;
    throw error;
  }
}
