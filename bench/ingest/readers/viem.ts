import { createPublicClient, http } from 'viem';
import { type BenchReader, eachBlock } from './reader.ts';

/** A reader with viem, which has an action for each of the two calls. */
export function openViem(url: string): BenchReader {
  const client = createPublicClient({ transport: http(url) });
  return eachBlock(async (number) => {
    const blockNumber = BigInt(number);
    const [block, receipts] = await Promise.all([
      client.getBlock({ blockNumber, includeTransactions: true }),
      client.getBlockReceipts({ blockNumber }),
    ]);
    return {
      transactions: block.transactions.length,
      fees: receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n),
    };
  });
}
