import { ProofError, unknownRule } from '../encoding/proof-error.ts';
import { createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import { MAX_TRANSACTIONS } from '../json/rpc-types.ts';
import type { BlockBytes } from './prove-raw-block.ts';

/** Returns the transactions in the RLP of a block without its header. @throws ProofError naming what is malformed */
export const transactionsOfBody = (body: Uint8Array): readonly Buffer[] =>
  payloadsIn(createListReader(body, 'body').list('transactions'), 'transactions');

/**
 * Splits a block, as `debug_getRawBlock` gives it.
 * @param block RLP of the header, transactions, uncles and, since Shanghai, withdrawals; no figure depends on the latter two
 * @throws ProofError naming what is malformed
 */
export function splitBlock(block: Uint8Array): Pick<BlockBytes, 'header' | 'transactions'> {
  const items = createListReader(block, 'block');
  const header = items.payload('header');
  const transactions = payloadsIn(items.list('transactions'), 'transactions');
  items.list('uncles');
  if (!items.isAtEnd()) items.list('withdrawals');
  if (items.isAtEnd()) return { header, transactions };
  throw unknownRule(
    'block',
    'it has more members than are known here: this chain has forked. Update Chain Insights.',
  );
}

/**
 * Returns the payloads in a list: lists as they are, and the content of byte strings, which hold typed transactions and receipts.
 * @throws ProofError naming `field` when the RLP is malformed or has more items than a block may have
 */
export function payloadsIn(items: RlpReader, field: string): readonly Buffer[] {
  const payloads: Buffer[] = [];
  while (!items.isAtEnd()) {
    if (payloads.length === MAX_TRANSACTIONS) {
      throw new ProofError(field, `more than ${MAX_TRANSACTIONS} are more than a block can hold`);
    }
    payloads.push(items.payload(field));
  }
  return payloads;
}
