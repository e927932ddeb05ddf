import { chainOf } from '#core/chains/chains.ts';
import { type Fees, NO_FEES, totalFees } from '#core/figures/fee-parts.ts';
import { proveTransactions } from '#core/proof/fields/transactions.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { RpcReceipt, RpcTransaction } from '#core/proof/json/rpc-types.ts';
import { excessProblem } from '#core/proof/prices/eip4844.ts';
import type { ProvenTransaction } from '#core/proof/prices/prices.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import { proveRawBlock } from '#core/proof/raw/prove-raw-block.ts';
import {
  completeBlocks,
  type FullBlock,
  fullBlockFolders,
  ONE_TRANSACTION_SHORT,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import { readPortalBlock } from '#test/support/generators/blocks/portal-blocks.ts';

const ETHEREUM = chainOf('ETHEREUM');
const OP_DEPOSIT = 0x7e;
const ARBITRUM_SUBMIT_RETRYABLE = 0x69;

/** Returns the fee that a receipt states, with the transaction's price where old receipts lack it. */
function statedFee(receipt: RpcReceipt, transaction: RpcTransaction): bigint {
  const type = Number(transaction.type ?? 0);
  if (type === OP_DEPOSIT || type === ARBITRUM_SUBMIT_RETRYABLE) return 0n;
  const gas =
    BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? String(transaction.gasPrice ?? 0));
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

test.each(completeBlocks)(
  '%s is proven, and its figures are those that its receipts state',
  (name, folder) => {
    const full = readFullBlock(folder, name);
    const { block, receipts } = decoded(full);
    const result = proveBlock(chainOf(full.chain), block, receipts);
    if ('refused' in result) throw new Error(`${result.refused.field}: ${result.refused.message}`);
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
  },
);

test(`${ONE_TRANSACTION_SHORT}, which is one transaction short, is refused`, () => {
  const { chain, block } = readFullBlock(fullBlockFolders.partial, ONE_TRANSACTION_SHORT);
  const { transactions, transactionsRoot } = decodeBlock(block);
  expect(() => proveTransactions(chainOf(chain), transactions, transactionsRoot)).toThrow(
    '23 transactions hash to',
  );
});

function provePortalBlock(number: number) {
  const proof = proveRawBlock(ETHEREUM, readPortalBlock(number));
  if ('refused' in proof) throw new Error(`${proof.refused.field}: ${proof.refused.message}`);
  return proof;
}

/** Sums by other code. */
test.each([
  ['the last of proof of work', 15_537_393, 1, 1_301_358_596_985_752_877n, 0n, 0n],
  ['the first of proof of stake', 15_537_394, 80, 46_494_902_574_979_045_804n, 0n, 46n],
  ['the last before Shanghai', 17_034_869, 93, 220_230_742_041_577_528n, 0n, 3n],
  ['the first of Shanghai', 17_034_870, 184, 609_808_698_408_446_394n, 0n, 4n],
  ['the last before Cancun', 19_426_586, 127, 1_022_901_685_309_262_277n, 0n, 3n],
  ['the first of Cancun', 19_426_587, 37, 191_150_301_226_558_090n, 0n, 0n],
  ['one of Prague', 22_869_878, 301, 117_136_618_536_630_644n, 524_288n, 2n],
])('Ethereum block %s, %i, has the expected sums', (_, number, transactions, execution, blob, failed) => {
  const { proven, sums } = provePortalBlock(number);
  expect(proven.number).toBe(number);
  expect(sums.totals).toMatchObject({
    transactions,
    fees: { ...NO_FEES, execution, blob },
    measures: { failedTransactions: failed },
  });
});

test.each([15_537_394, 17_034_870, 19_426_587])(
  'Ethereum block %i follows the one before the fork',
  (number) => {
    const [before, first] = [number - 1, number].map((one) => provePortalBlock(one).proven);
    expect(first?.parentHash).toBe(before?.hash);
    expect(before && first && excessProblem(ETHEREUM.rules, before, first)).toBeUndefined();
  },
);
