import { disputed } from '../anchor/anchor.ts';
import { countVotes } from '../anchor/ballot.ts';
import { type AnchoredNetwork, upstreamsFor } from '../anchor/network.ts';
import { validateHeader } from '../anchor/read-header.ts';
import { readBlockFrom } from '../blocks/nodes/read-block.ts';
import type { BlockRef } from '../figures/block.ts';
import type { DayProgress } from '../figures/progress.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import {
  type ArbosHeader,
  hasMultiGasConstraints,
  MULTI_GAS_ARBOS_VERSION,
  MULTI_GAS_CONSTRAINTS_CALL,
  MULTI_GAS_PROBLEM,
  readArbosInfo,
} from '../proof/fields/tripwires.ts';
import { inTime } from '../rpc/deadline.ts';
import { EndpointError, UNAVAILABLE_KINDS } from '../rpc/endpoint.ts';
import { type Attempt, noEndpoint, requestWithFailover } from '../rpc/failover.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { callContract, getBlockHeader } from '../rpc/methods.ts';
import type { RunOutcome } from './day-run.ts';

/**
 * Returns why a day is not published although every block is proven: the chain may follow rules that this version does not know. Otherwise
 * returns its progress, without a price to compare if an endpoint states it.
 */
export async function ruleChange(
  network: AnchoredNetwork,
  progress: DayProgress,
): Promise<RunOutcome | DayProgress> {
  const priced = await comparePrice(network, progress);
  return 'kind' in priced ? priced : ((await gasRefunds(network, progress)) ?? priced);
}

/** A price in a receipt that differs from ours, as `core/proof/prove-block.ts` words it. */
const OTHER_PRICE = /receipts\[\d+\]\.(blobGasPrice|l1Fee): /;

/**
 * Compares the last price of a day that follows from a rule, of blobs or of L1, with the one that an endpoint states. A new price of blobs
 * need not show in headers, and RLP states no prices.
 */
async function comparePrice(network: AnchoredNetwork, progress: DayProgress) {
  const { first, priceToCompare: number } = progress;
  if (number === undefined) return progress;
  // Nobody knows in which of them the price changed.
  const what = `the prices of ${network.chain.name} blocks ${first?.number ?? number} to ${number}`;
  const others: string[] = [];
  // A node that has pruned this block has pruned those before it too. A backfill of years would ask it in vain for each day.
  const able = upstreamsFor(network).filter(({ lacksReceiptsTo }) => lacksReceiptsTo < number);
  for (const upstream of able) {
    const read = await requestWithFailover(network.context, [upstream], what, (rpc) =>
      readBlockFrom(network, number, rpc, upstream.endpoint.host),
    );
    if (read.kind === 'fetched' && read.value.isPriceStated)
      return { ...progress, priceToCompare: undefined };
    if (read.kind === 'no endpoint' && read.isUnavailable) upstream.lacksReceiptsTo = number;
    if (read.kind === 'no endpoint') others.push(...read.reasons.filter((one) => OTHER_PRICE.test(one)));
  }
  return others.length > 0 ? noEndpoint(what, others, { isRuleChange: true }) : progress;
}

/**
 * Returns the rule change that makes a day's fees wrong: Arbitrum's multi-gas pricing refunds senders after execution, which no receipt
 * shows. Reads the state after the day's last block, and so misses constraints that were set and cleared within the day. No hash covers
 * that state, so the hosts vote: one that lies must not stop the chain.
 */
async function gasRefunds(network: AnchoredNetwork, { last }: DayProgress): Promise<RunOutcome | undefined> {
  const { chain, context, hosts, quorum } = network;
  if (chain.rules.family !== 'arbitrum' || !last) return undefined;
  const what = `the gas pricing of ${chain.name} block ${last.number}`;
  const able = hosts.flatMap((host) => {
    const readable = host.upstreams.filter(({ endpoint }) => !endpoint.isAnchorOnly);
    return readable.length > 0 ? [{ host, readable }] : [];
  });
  const needed = Math.min(quorum, able.length);
  const polls = able.map(async ({ host, readable }) => {
    const answer = await requestWithFailover(context, readable, what, (rpc) =>
      refundsGas(network, rpc, last),
    );
    return { host, answer, isRefunding: answer.kind === 'fetched' ? answer.value : undefined };
  });
  const read = ({ host, isRefunding }: Awaited<(typeof polls)[number]>) =>
    isRefunding === undefined ? undefined : { host: host.name, says: String(isRefunding) };
  const votes = (await inTime(context, polls, read, needed)).filter((vote) => vote !== undefined);
  const count = (says: boolean, quorum: number) =>
    countVotes(votes, quorum, ({ isRefunding }) =>
      isRefunding === undefined ? undefined : isRefunding === says,
    );
  // A majority stops the day, be it of one host; to publish it, a quorum must agree too.
  const [changed, unchanged] = [count(true, 1), count(false, needed)];
  if (unchanged.isSupported) return undefined;
  if (changed.isSupported) return { kind: 'rule changed', reason: MULTI_GAS_PROBLEM };
  if (!changed.hasQuorum) {
    const reasons = votes.flatMap(({ host, answer }) =>
      answer.kind === 'fetched' ? `${host.name} reports no constraints` : answer.reasons,
    );
    const reason = `Fewer than ${needed} hosts report ${what}. ${reasons.join('. ')}`;
    return { ...noEndpoint(what, reasons), reason };
  }
  return disputed(
    `Endpoints disagree on ${what}: constraints at ${changed.supporters.join(', ')}, none at ${unchanged.supporters.join(', ')}. If this persists, remove the faulty one.`,
  );
}

async function refundsGas(
  network: AnchoredNetwork,
  rpc: Rpc,
  { number, hash }: BlockRef,
): Promise<Attempt<boolean>> {
  const answer = await getBlockHeader(rpc, number);
  const header = await validateHeader(network, number, answer);
  if ('refused' in header) return header;
  if (header.value.hash !== hash) {
    return {
      refused: `${network.chain.name} block ${number}: ${header.value.hash} is not ${hash}, which was counted`,
    };
  }
  try {
    // Older versions do not have the method.
    if (readArbosInfo(answer as ArbosHeader).version < MULTI_GAS_ARBOS_VERSION) return { value: false };
    return { value: hasMultiGasConstraints(await multiGasConstraints(rpc, number)) };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${error.field}: ${error.message}`, fault: 'invalid response' };
  }
}

/**
 * Reads the constraints after a block. A node that has pruned the state of an old block returns those of its finalized one:
 * constraints that were set and cleared again in between are then not seen either.
 */
async function multiGasConstraints(rpc: Rpc, number: number): Promise<string> {
  try {
    return await callContract(rpc, MULTI_GAS_CONSTRAINTS_CALL, number);
  } catch (error) {
    if (!(error instanceof EndpointError) || !UNAVAILABLE_KINDS.has(error.kind)) throw error;
    return callContract(rpc, MULTI_GAS_CONSTRAINTS_CALL, 'finalized');
  }
}
