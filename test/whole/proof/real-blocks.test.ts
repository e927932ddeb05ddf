import { chainOf } from '#core/chains/chains.ts';
import { type Fees, totalFees } from '#core/figures/fee-parts.ts';
import { proveHeader } from '#core/proof/header.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { ProvenTransaction } from '#core/proof/proven-block.ts';
import { proveTransactions } from '#core/proof/transactions.ts';
import {
  describeFullBlocks,
  type FullBlock,
  fullBlockFolders,
  readFullBlock,
} from '#test/support/generators/full-blocks.ts';

const OP_DEPOSIT = 0x7e;
const ARBITRUM_SUBMIT_RETRYABLE = 0x69;

/** Returns the fee that a receipt states, with the transaction's price where old receipts lack it. */
function statedFee(receipt: RpcReceipt, transaction: RpcTransaction): bigint {
  const type = Number(transaction.type ?? 0);
  if (type === OP_DEPOSIT || type === ARBITRUM_SUBMIT_RETRYABLE) return 0n;
  const gas = BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? 0);
  const blobs = BigInt(receipt.blobGasUsed ?? 0) * BigInt(receipt.blobGasPrice ?? 0);
  return gas + blobs + BigInt(receipt.l1Fee ?? 0);
}

/** One source lacks the L1 fee. */
const comparable = (fees: Fees, { l1Fee }: RpcReceipt): bigint =>
  totalFees(fees) - (l1Fee ? 0n : fees.l1Data);

const decoded = ({ block, receipts }: FullBlock) => ({
  block: decodeBlock(block),
  receipts: decodeReceipts(receipts),
});

describe.each([fullBlockFolders.committed, fullBlockFolders.shared])('%s', (folder) => {
  describeFullBlocks(folder, (names) => {
    test.each(names)('%s is proven, and its figures are those that its receipts state', (name) => {
      const full = readFullBlock(folder, name);
      const { block, receipts } = decoded(full);
      const result = proveBlock(chainOf(full.chain), block, receipts);
      if ('refused' in result) throw new Error(`${result.refused.field}: ${result.refused.problem}`);
      const { transactions, ...proven } = result.proven;
      expect(proven).toMatchObject({ number: full.number, hash: block.hash, parentHash: block.parentHash });
      expect(transactions).toHaveLength(block.transactions.length);
      for (const [index, receipt] of receipts.entries()) {
        const transaction = transactions[index] as ProvenTransaction;
        expect(transaction.measures).toMatchObject({
          gasUsed: BigInt(receipt.gasUsed ?? 0),
          failedTransactions: receipt.status == null ? undefined : BigInt(Number(receipt.status) === 0),
          blobs: BigInt(block.transactions[index]?.blobVersionedHashes?.length ?? 0),
        });
        expect(comparable(transaction.fees, receipt)).toBe(
          statedFee(receipt, block.transactions[index] as RpcTransaction),
        );
      }
    });
  });
});

/** Its source left one transaction out, though each of the others hashes to its hash. */
const ONE_TRANSACTION_SHORT = 'BASE-1962302.json.gz';

describeFullBlocks(fullBlockFolders.partial, (names) => {
  test.each(names.filter((name) => name !== ONE_TRANSACTION_SHORT))(
    '%s has a header and transactions that hash to its hash',
    (name) => {
      const { chain, block } = readFullBlock(fullBlockFolders.partial, name);
      const { transactions, ...header } = decodeBlock(block);
      expect(proveHeader(header)).toBe(header.hash);
      const row = chainOf((chain as string) === 'BASE_GOERLI' ? 'BASE' : chain);
      const hashed = proveTransactions(row, withoutStateSync(transactions), header.transactionsRoot);
      expect(hashed.length).toBeGreaterThan(0);
    },
  );

  test(`${ONE_TRANSACTION_SHORT}, which is one transaction short, is refused`, () => {
    const { chain, block } = readFullBlock(fullBlockFolders.partial, ONE_TRANSACTION_SHORT);
    const { transactions, transactionsRoot } = decodeBlock(block);
    expect(() => proveTransactions(chainOf(chain), transactions, transactionsRoot)).toThrow(
      '23 transactions hash to',
    );
  });
});

/** Polygon's state-sync pseudo-transaction is the only one without gas. */
const withoutStateSync = (transactions: RpcBlock['transactions']) =>
  transactions.filter(({ gas, type }) => gas !== '0x0' || Number(type) > 4);
