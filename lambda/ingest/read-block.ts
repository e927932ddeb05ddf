import type { BlockHeader, Receipt } from '../chains/block.ts';
import type { Chain } from '../chains/chains.ts';
import { needsGasPrice } from '../chains/fees.ts';
import { type Totals, totalsOf } from '../chains/totals.ts';
import { fromAnyEndpoint } from '../rpc/any-endpoint.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import { getFinalizedHeader, getGasPrices, getHeader, getReceipts } from '../rpc/methods.ts';
import { checkBlock, checkNumber } from './check-block.ts';

/** What is left of a block once it is checked and summed. */
export interface SummedBlock extends Pick<BlockHeader, 'number' | 'hash' | 'parentHash' | 'timestamp'> {
  readonly totals: Totals;
}

/**
 * Reads one block from the first endpoint that gives a whole and priceable one.
 * @throws NoEndpointError with each endpoint's reason
 */
export function readBlock(
  chain: Chain,
  endpoints: readonly Endpoint[],
  number: number,
): Promise<SummedBlock> {
  return fromAnyEndpoint(endpoints, `${chain.name} block ${number}`, async (endpoint) => {
    const [header, receipts] = await readParts(endpoint, number);
    const block = checkBlock(chain, number, header, receipts);
    const priced = block.receipts.some(needsGasPrice)
      ? { ...block, receipts: withGasPrices(block.receipts, await getGasPrices(endpoint, number)) }
      : block;
    const { hash, parentHash, timestamp } = block;
    return { number, hash, parentHash, timestamp, totals: totalsOf(chain, priced) };
  });
}

/** Reads a header alone, as the search for a day's first block does. */
export function readHeader(
  chain: Chain,
  endpoints: readonly Endpoint[],
  number: number,
): Promise<BlockHeader> {
  return fromAnyEndpoint(endpoints, `${chain.name} block ${number}`, async (endpoint) => {
    const header = await getHeader(endpoint, number);
    checkNumber(chain, number, header);
    return header;
  });
}

/** Reads the newest finalized header: nothing after it is ever counted. */
export const readFinalizedHeader = (chain: Chain, endpoints: readonly Endpoint[]): Promise<BlockHeader> =>
  fromAnyEndpoint(endpoints, `the finalized block of ${chain.name}`, getFinalizedHeader);

async function readParts(endpoint: Endpoint, number: number): Promise<[BlockHeader, readonly Receipt[]]> {
  if (number > 0) return Promise.all([getHeader(endpoint, number), getReceipts(endpoint, number)]);
  // Some nodes answer with an error when asked for the receipts of an empty genesis block.
  const genesis = await getHeader(endpoint, 0);
  return [genesis, genesis.transactions.length > 0 ? await getReceipts(endpoint, 0) : []];
}

const withGasPrices = (
  receipts: readonly Receipt[],
  prices: Awaited<ReturnType<typeof getGasPrices>>,
): readonly Receipt[] =>
  receipts.map((receipt) => ({ ...receipt, gasPrice: prices.get(receipt.transactionHash) }));
