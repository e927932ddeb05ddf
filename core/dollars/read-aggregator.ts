import { countVotes } from '../anchor/ballot.ts';
import { type Host, type Network, upstreamsFor } from '../anchor/network.ts';
import { hashedHeader } from '../anchor/read-header.ts';
import type { Chain } from '../chains/chains.ts';
import type { BlockRef } from '../figures/block.ts';
import { type AggregatorReading, NO_AGGREGATOR } from '../figures/dollars.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { type RequestContext, within } from '../rpc/deadline.ts';
import { EndpointError, UNAVAILABLE_KINDS } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { callContract, getBlockHeader, getStorageProof } from '../rpc/methods.ts';
import { uncountedRpc } from '../rpc/paced-call.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { storageValue } from './storage-proof.ts';

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
/** Hosts that must agree on the latest block, where there are as many, and on an aggregator that no endpoint proves. */
const AGREEING = 2;

/** A block that is known to be canonical, or the latest. */
type ReadAt = BlockRef | 'latest';

/**
 * Reads which aggregator a chain's feed uses after a block that hosts support: by the proof of one endpoint, or else once two
 * hosts agree. Further hosts are asked until then, so that one that lies or refuses decides nothing. An endpoint that does not answer is not at
 * fault: none needs to keep state. A feed without an aggregator names `NO_AGGREGATOR`.
 * @param at nodes keep the state of recent blocks alone, unless they are archives
 * @returns also the timestamp of the block, in seconds
 */
export async function readAggregator(
  network: Network,
  at: ReadAt,
): Promise<{ readonly reading: AggregatorReading; readonly timestamp: number } | undefined> {
  const proxy = network.chain.priceFeed?.proxy;
  if (proxy === undefined) return undefined;
  const all = upstreamsFor(network);
  const block = await findBlock(network, all, at);
  if (!block) return undefined;
  const { number, hash, timestamp, stateRoot } = block;
  // An endpoint that has refused the state of a past block is not asked again for one.
  const upstreams = all.filter((upstream) => at === 'latest' || !upstream.keepsNoPast);
  const proven = await firstAnswer(network.context, upstreams, async (rpc) => {
    const proof = await getStorageProof(rpc, proxy, PHASE_SLOT, number);
    const slot = storageValue(stateRoot, proxy, PHASE_SLOT, proof);
    return addressIn(slot.length === 0 ? 0n : BigInt(`0x${slot.toString('hex')}`) >> PHASE_BITS);
  });
  const aggregator =
    proven ??
    (await agreedOn(network, upstreams, async (rpc, upstream) => {
      const answer = await callContract(rpc, { to: proxy, data: AGGREGATOR_CALL }, number).catch((error) => {
        if (at !== 'latest' && UNAVAILABLE_KINDS.has(error.kind)) upstream.keepsNoPast = true;
        throw error;
      });
      return WORD.test(answer) ? addressIn(BigInt(answer)) : NO_AGGREGATOR;
    }));
  if (aggregator === undefined) return undefined;
  const evidence = proven === undefined ? 'reported' : 'proven';
  const reading: AggregatorReading = { number, hash, aggregator, evidence };
  return { reading, timestamp };
}

const addressIn = (word: bigint): string =>
  `0x${BigInt.asUintN(ADDRESS_BITS, word).toString(16).padStart(40, '0')}`;

/** Asks one host after the other, until two give the same answer. */
async function agreedOn(
  { hosts, context }: Network,
  upstreams: readonly Upstream[],
  read: (rpc: Rpc, upstream: Upstream) => Promise<string>,
): Promise<string | undefined> {
  const votes: { readonly host: Host; readonly answer: string }[] = [];
  for (const host of hosts) {
    const own = upstreams.filter((upstream) => host.upstreams.includes(upstream));
    const answer = await firstAnswer(context, own, read);
    if (answer === undefined) continue;
    votes.push({ host, answer });
    if (countVotes(votes, AGREEING, (vote) => vote.answer === answer).hasQuorum) return answer;
  }
  return undefined;
}

/** A run has more to do than wait for a node that stalls. */
export const MAX_READING_MS = 5_000;

/** Asks one endpoint after the other. Skips those that do not answer in time, refuse, or lie in a way that shows. */
async function firstAnswer<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  read: (rpc: Rpc, upstream: Upstream) => Promise<T>,
): Promise<T | undefined> {
  for (const upstream of upstreams) {
    try {
      const answer = await within(context, MAX_READING_MS, (limited) =>
        read(uncountedRpc(limited, upstream), upstream),
      );
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!(error instanceof EndpointError || error instanceof ProofError)) throw error;
    }
  }
  return undefined;
}

type StateBlock = Awaited<ReturnType<typeof getStateBlock>>;

/** Reads a block with a known hash, or else one that hosts support: a proof against a block of one host alone proves nothing. */
async function findBlock(
  network: Network,
  upstreams: readonly Upstream[],
  at: ReadAt,
): Promise<StateBlock | undefined> {
  const { chain, context, hosts, quorum } = network;
  if (at !== 'latest')
    return firstAnswer(context, upstreams, (rpc) => getStateBlock(chain, rpc, at.number, at.hash));
  const numbers = new Set((await pollBlocks(network, at)).map(({ block }) => block.number));
  const needed = Math.max(quorum, Math.min(AGREEING, hosts.length));
  for (const number of [...numbers].toSorted((a, b) => b - a)) {
    const votes = await pollBlocks(network, number);
    const supported = votes.find(
      ({ block: { hash } }) => countVotes(votes, needed, ({ block }) => block.hash === hash).isSupported,
    );
    if (supported) return supported.block;
  }
  return undefined;
}

async function pollBlocks({ chain, hosts, context }: Network, at: number | 'latest') {
  const polls = hosts.map(async (host) => {
    const block = await firstAnswer(context, host.upstreams, (rpc) => getStateBlock(chain, rpc, at));
    return block && { host, block };
  });
  return (await Promise.all(polls)).filter((vote) => vote !== undefined);
}

/** Reads a block with the root of its state. @throws ProofError for a header of another block, or one that does not hash to its hash */
async function getStateBlock({ rules }: Chain, rpc: Rpc, at: number | 'latest', known?: string) {
  const header = hashedHeader(await getBlockHeader(rpc, at), rules);
  const { hash, stateRoot } = header;
  const [number, timestamp] = [Number(header.number), Number(header.timestamp)];
  if (at !== 'latest' && number !== at) throw new ProofError('number', `it is ${number}, not ${at}`);
  if (known !== undefined && hash !== known)
    throw new ProofError('hash', `block ${number} is ${hash}, not ${known}`);
  return { number, hash, timestamp, stateRoot };
}
