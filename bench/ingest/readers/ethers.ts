import { JsonRpcProvider } from 'ethers';
import { type BenchReader, eachBlock } from './reader.ts';

/**
 * A reader with ethers, which has no method for a block's receipts (ethers-io/ethers.js#5073): it requests each receipt, in batches of
 * up to a hundred.
 */
export function openEthers(url: string): BenchReader {
  const provider = new JsonRpcProvider(url);
  return eachBlock(async (number) => {
    const block = await provider.getBlock(number, true);
    if (!block) throw new Error(`The canned node has no block ${number}.`);
    const receipts = await Promise.all(
      block.transactions.map((hash) => provider.getTransactionReceipt(hash)),
    );
    return {
      transactions: block.transactions.length,
      fees: receipts.reduce((sum, receipt) => sum + (receipt?.fee ?? 0n), 0n),
    };
  });
}
