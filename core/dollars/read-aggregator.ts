import { type Network, upstreamsFor } from '../anchor/network.ts';
import { type AggregatorReading, NO_AGGREGATOR, NO_FEED } from '../figures/dollars.ts';
import { storageValue } from '../proof/storage-proof.ts';
import { UNAVAILABLE_KINDS } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { callContract, getStorageProof } from '../rpc/methods.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Ask, asking, firstOf } from './ask.ts';
import { findBlock, type ReadAt } from './find-block.ts';

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
/** Hosts that must agree where no endpoint proves anything. */
const AGREEING = 2;

export type ReadingResult =
  | {
      readonly kind: 'read';
      readonly reading: AggregatorReading;
      /** Of the block, in seconds. */
      readonly timestamp: number;
    }
  | { readonly kind: 'not read'; readonly reason: string };

/**
 * Reads which aggregator a chain's feed uses after a block that hosts support: by the proof of one endpoint, or else once two
 * hosts agree. Further hosts are asked until then, so that one that lies or refuses decides nothing. An endpoint that does not answer is not at
 * fault: none needs to keep state. A feed without an aggregator names `NO_AGGREGATOR`.
 * @param at nodes keep the state of recent blocks alone, unless they are archives
 */
export async function readAggregator(source: Network, at: ReadAt): Promise<ReadingResult> {
  const to = source.chain.priceFeed?.proxy;
  if (to === undefined) return { kind: 'not read', reason: NO_FEED };
  const { ask, reasons } = asking(source);
  const notRead = (reason: string): ReadingResult => ({
    kind: 'not read',
    reason: [...reasons, reason].join('. '),
  });
  const block = await findBlock(source, ask, at);
  if (!block) return notRead(`hosts support no ${at === 'latest' ? 'latest block' : 'such block'}`);
  const { number, hash, timestamp, stateRoot } = block;
  // An endpoint that has refused the state of a past block is not asked again for one.
  const upstreams = upstreamsFor(source).filter((one) => at === 'latest' || !one.keepsNoPast);
  const proven = await firstOf(upstreams, (one) => ask(one, (rpc) => readProof(rpc, to, number, stateRoot)));
  const aggregator =
    proven ?? (await agreedOn(source, upstreams, (one) => callProxy(ask, one, to, { at, number })));
  if (aggregator === undefined) return notRead(`fewer than ${AGREEING} hosts agree`);
  const evidence = proven === undefined ? 'reported' : 'proven';
  return { kind: 'read', reading: { number, hash, aggregator, evidence }, timestamp };
}

async function readProof(rpc: Rpc, proxy: string, number: number, stateRoot: string): Promise<string> {
  const proof = await getStorageProof(rpc, proxy, PHASE_SLOT, number);
  const slot = storageValue(stateRoot, proxy, PHASE_SLOT, proof);
  return addressIn(slot.length === 0 ? 0n : BigInt(`0x${slot.toString('hex')}`) >> PHASE_BITS);
}

const addressIn = (word: bigint): string =>
  `0x${BigInt.asUintN(ADDRESS_BITS, word).toString(16).padStart(40, '0')}`;

const callProxy = (
  ask: Ask,
  upstream: Upstream,
  to: string,
  { at, number }: { readonly at: ReadAt; readonly number: number },
): Promise<string | undefined> =>
  ask(upstream, async (rpc) => {
    const answer = await callContract(rpc, { to, data: AGGREGATOR_CALL }, number).catch((error) => {
      if (at !== 'latest' && UNAVAILABLE_KINDS.has(error.kind)) upstream.keepsNoPast = true;
      throw error;
    });
    return WORD.test(answer) ? addressIn(BigInt(answer)) : NO_AGGREGATOR;
  });

/** Asks one host after the other, until two give the same answer. */
async function agreedOn(
  { voters }: Network,
  upstreams: readonly Upstream[],
  read: (upstream: Upstream) => Promise<string | undefined>,
): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const host of voters) {
    const own = upstreams.filter((one) => host.upstreams.includes(one));
    const answer = await firstOf(own, read);
    if (answer === undefined) continue;
    const count = (counts.get(answer) ?? 0) + 1;
    if (count === AGREEING) return answer;
    counts.set(answer, count);
  }
  return undefined;
}
