import type { BlockHeader, Receipt } from '../chains/block.ts';
import { gasPricesSchema, headerSchema, quantity, receiptsSchema } from './decode.ts';
import type { Rpc } from './json-rpc.ts';

const hexOf = (number: number) => `0x${number.toString(16)}`;

/** Returns the EIP-155 chain ID. */
export const getChainId = (rpc: Rpc): Promise<bigint> => rpc('eth_chainId', [], quantity);

/**
 * Reads the header of a block, with the hashes of its transactions.
 * @param at a number; `finalized`, the newest block that consensus cannot revert; or `latest`
 */
export const getHeader = (rpc: Rpc, at: number | 'finalized' | 'latest'): Promise<BlockHeader> =>
  rpc('eth_getBlockByNumber', [typeof at === 'number' ? hexOf(at) : at, false], headerSchema);

/** Reads all receipts of a block, in the order of its transactions. */
export const getReceipts = (rpc: Rpc, number: number): Promise<Receipt[]> =>
  rpc('eth_getBlockReceipts', [hexOf(number)], receiptsSchema);

/** Reads the gas price of each transaction of a block, by hash, in wei per gas. */
export async function getGasPrices(
  rpc: Rpc,
  number: number,
): Promise<ReadonlyMap<string, bigint | null | undefined>> {
  const { transactions } = await rpc('eth_getBlockByNumber', [hexOf(number), true], gasPricesSchema);
  return new Map(transactions.map(({ hash, gasPrice }) => [hash, gasPrice]));
}
