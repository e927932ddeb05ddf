import { JsonRpcProvider } from 'ethers';
import { eachBlock, type Reader } from './reader.ts';

/**
 * What a user of ethers would write: it has no method for the receipts of a block (ethers-io/ethers.js#5073), so they are asked
 * for one by one, and ethers puts up to a hundred into each request.
 */
export function openEthers(url: string): Reader {
  const provider = new JsonRpcProvider(url);
  return eachBlock(async (number) => {
    const block = await provider.getBlock(number);
    if (!block) throw new Error(`the canned node has no block ${number}`);
    const receipts = await Promise.all(
      block.transactions.map((hash) => provider.getTransactionReceipt(hash)),
    );
    return {
      transactions: block.transactions.length,
      fees: receipts.reduce((sum, receipt) => sum + (receipt?.fee ?? 0n), 0n),
    };
  });
}
