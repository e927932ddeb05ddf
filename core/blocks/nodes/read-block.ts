import { type AnchoredNetwork, upstreamsFor } from '../../anchor/network.ts';
import { isHashed } from '../../anchor/read-header.ts';
import type { SummedBlock } from '../../figures/block.ts';
import { type Attempt, type Fetched, requestWithFailover } from '../../rpc/failover.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getBlock, getReceipts } from '../../rpc/methods.ts';
import { validateBlock } from '../validate-block.ts';
import { readRawBlock } from './read-raw-block.ts';
import { readReceipts } from './read-receipts.ts';
import { withRawStateSync } from './read-state-sync.ts';

/**
 * Reads one block, as RLP where it is offered. Who delivers a block that is proven does not matter, so all endpoints share them. One that
 * can only be checked comes from the first endpoint that gives a valid one.
 */
export const readBlock = (network: AnchoredNetwork, number: number): Promise<Fetched<SummedBlock>> =>
  requestWithFailover(
    network.context,
    upstreamsFor(network),
    `${network.chain.name} block ${number}`,
    async (rpc, upstream) => {
      const { host } = upstream.endpoint;
      const valid = await readRawBlock(network, number, rpc, upstream);
      return valid ? { value: { ...valid, host } } : readBlockFrom(network, number, rpc, host);
    },
    isHashed(network, number) ? 'fastest' : 'configured',
  );

/**
 * Reads one block from one endpoint as JSON, with two calls, or three where it has a Polygon state-sync transaction.
 * @throws EndpointError
 */
export async function readBlockFrom(
  rules: Pick<AnchoredNetwork, 'chain' | 'evidence' | 'feed'>,
  number: number,
  rpc: Rpc,
  host: string,
): Promise<Attempt<SummedBlock>> {
  const answer = getBlock(rpc, number);
  const [block, receipts] = await Promise.all([
    answer.then((block) => withRawStateSync(rules.chain, rpc, number, block)),
    number === 0
      ? answer.then((genesis) => receiptsOfGenesis(rpc, genesis))
      : readReceipts(rules, rpc, number, answer),
  ]);
  const valid = validateBlock(rules, number, block, receipts);
  return 'refused' in valid ? valid : { value: { ...valid.value, host } };
}

/** Some nodes answer with an error when asked for the receipts of an empty genesis block. */
async function receiptsOfGenesis(rpc: Rpc, genesis: unknown): Promise<unknown> {
  const { transactions } = genesis as { readonly transactions?: unknown };
  return Array.isArray(transactions) && transactions.length > 0 ? getReceipts(rpc, 0) : [];
}
