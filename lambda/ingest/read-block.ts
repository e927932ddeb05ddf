import type { BlockHeader, Receipt, SeenBlock } from '../chains/block.ts';
import { needsGasPrice } from '../chains/receipt-fees.ts';
import { type Totals, totalsOf } from '../chains/totals.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { getGasPrices, getHeader, getReceipts } from '../rpc/methods.ts';
import { requestWithRetry } from '../rpc/retry.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { checkBlock, checkNumber } from './check-block.ts';
import { type Source, upstreamsFor } from './endpoint-probe.ts';

/** A valid block with its totals in place of its transactions. */
export interface SummedBlock extends SeenBlock {
  readonly parentHash: string;
  readonly totals: Totals;
}

/**
 * Reads one block from the first endpoint that returns a valid one.
 * @throws NoEndpointError with the reason of each endpoint
 */
export const readBlock = (source: Source, number: number): Promise<SummedBlock> =>
  requestWithRetry(
    source.context,
    upstreamsFor(source, number),
    `${source.chain.name} block ${number}`,
    (rpc, host) => readBlockFrom(source, number, rpc, host),
  );

/**
 * Reads one block from one endpoint, with two calls, or three when receipts lack their price.
 * @throws EndpointError or BlockError when the block is not valid
 */
export async function readBlockFrom(
  { chain }: Pick<Source, 'chain'>,
  number: number,
  rpc: Rpc,
  host: string,
): Promise<SummedBlock> {
  const [header, receipts] = await readParts(rpc, number);
  const block = checkBlock(chain, number, header, receipts);
  const priced = block.receipts.some((receipt) => needsGasPrice(chain.rules, receipt))
    ? { ...block, receipts: withGasPrices(block.receipts, await getGasPrices(rpc, number)) }
    : block;
  const { hash, parentHash, timestamp } = block;
  return { number, hash, parentHash, timestamp, host, totals: totalsOf(chain, priced) };
}

/**
 * Reads a header without the receipts.
 * @param from the endpoints to ask; by default all that have the block
 * @param check throws BlockError to refuse a header
 * @throws NoEndpointError with the reason of each endpoint
 */
export const readHeader = (
  source: Source,
  number: number,
  {
    from = upstreamsFor(source, number),
    check = () => {},
  }: { from?: readonly Upstream[]; check?: (header: BlockHeader) => void },
): Promise<BlockHeader & SeenBlock> =>
  requestWithRetry(source.context, from, `${source.chain.name} block ${number}`, async (rpc, host) => {
    const header = await getHeader(rpc, number);
    checkNumber(source.chain, number, header);
    check(header);
    return { ...header, host };
  });

async function readParts(rpc: Rpc, number: number): Promise<[BlockHeader, readonly Receipt[]]> {
  if (number > 0) return Promise.all([getHeader(rpc, number), getReceipts(rpc, number)]);
  // Some nodes return an error for the receipts of an empty genesis block.
  const genesis = await getHeader(rpc, 0);
  return [genesis, genesis.transactions.length > 0 ? await getReceipts(rpc, 0) : []];
}

const withGasPrices = (
  receipts: readonly Receipt[],
  prices: Awaited<ReturnType<typeof getGasPrices>>,
): readonly Receipt[] =>
  receipts.map((receipt) => ({ ...receipt, gasPrice: prices.get(receipt.transactionHash) }));
