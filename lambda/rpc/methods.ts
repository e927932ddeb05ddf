import type { BlockHeader, Receipt } from '../chains/block.ts';
import { gasPricesSchema, headerSchema, receiptsSchema } from './decode.ts';
import type { Endpoint } from './endpoint.ts';
import { call } from './json-rpc.ts';

const hexOf = (number: number) => `0x${number.toString(16)}`;

/** The header of a block, with the hashes of its transactions. */
export const getHeader = (endpoint: Endpoint, number: number): Promise<BlockHeader> =>
  call(endpoint, 'eth_getBlockByNumber', [hexOf(number), false], headerSchema);

/** The newest block that the chain's consensus can no longer take back. */
export const getFinalizedHeader = (endpoint: Endpoint): Promise<BlockHeader> =>
  call(endpoint, 'eth_getBlockByNumber', ['finalized', false], headerSchema);

/** All receipts of a block, in the order of its transactions. */
export const getReceipts = (endpoint: Endpoint, number: number): Promise<Receipt[]> =>
  call(endpoint, 'eth_getBlockReceipts', [hexOf(number)], receiptsSchema);

/** The price that each transaction of a block named, by hash, in wei per gas. */
export async function getGasPrices(
  endpoint: Endpoint,
  number: number,
): Promise<ReadonlyMap<string, bigint | null | undefined>> {
  const { transactions } = await call(
    endpoint,
    'eth_getBlockByNumber',
    [hexOf(number), true],
    gasPricesSchema,
  );
  return new Map(transactions.map(({ hash, gasPrice }) => [hash, gasPrice]));
}
