import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Block, BlockHeader, Receipt } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { isStateSync } from '../chains/protocol-transactions.ts';

/**
 * Validates that a header and receipts are one complete block: the requested one, with one receipt for each transaction of its
 * body, in order. They come in separate responses, perhaps of different machines behind one address. The header's `gasUsed`
 * is not compared, because EIP-7778 separates it from the receipts' sum.
 * @returns the block with the receipts of its body, without that of Polygon's synthetic state-sync transaction
 * @throws BlockError naming the first contradiction
 */
export function checkBlock(
  chain: Chain,
  number: number,
  header: BlockHeader,
  returned: readonly Receipt[],
): Block {
  const refuse = (problem: string, transaction?: string) => {
    throw new BlockError({ chain: chain.name, block: number, ...(transaction && { transaction }) }, problem);
  };
  checkNumber(chain, number, header);
  const emptiness = header.transactions.length === 0 && emptinessProblem(chain, header);
  if (emptiness) refuse(emptiness);

  const { hashes, receipts } = withoutStateSync(chain, header, returned);
  if (receipts.length !== hashes.length) {
    refuse(`${hashes.length} transactions, but ${receipts.length} receipts`);
  }
  let gasBefore = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const problem = receiptProblem(header, index, receipt);
    if (problem) refuse(problem, receipt.transactionHash);
    // Some nodes return a cumulativeGasUsed of 0 for a synthetic state-sync transaction, which uses no gas.
    if (isPolygonStateSync(chain, receipt)) continue;
    if (receipt.cumulativeGasUsed !== gasBefore + receipt.gasUsed) {
      refuse(
        `cumulativeGasUsed is ${receipt.cumulativeGasUsed}, not ${gasBefore} plus gasUsed ${receipt.gasUsed}`,
        receipt.transactionHash,
      );
    }
    gasBefore = receipt.cumulativeGasUsed;
  }
  return { ...header, receipts };
}

/** Returns the reason why a receipt does not belong to its transaction, or undefined when it does. */
function receiptProblem({ number, hash, transactions }: BlockHeader, index: number, receipt: Receipt) {
  if (receipt.transactionHash !== transactions[index]) {
    return `receipt ${index} does not belong to transaction ${transactions[index]}`;
  }
  if (receipt.blockHash !== hash) return `receipt of block hash ${receipt.blockHash}, not ${hash}`;
  if (receipt.blockNumber !== number) return `receipt of block ${receipt.blockNumber}`;
  if (receipt.transactionIndex !== index) return `receipt ${index} has index ${receipt.transactionIndex}`;
  return undefined;
}

/** @throws BlockError when a node returned another block than the requested one */
export function checkNumber(chain: Chain, number: number, header: BlockHeader): void {
  if (header.number === number) return;
  throw new BlockError({ chain: chain.name, block: number }, `the node returned block ${header.number}`);
}

/** Root of an empty Merkle Patricia trie, keccak256(rlp('')). */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** Returns the reason why a block without transactions is not valid, or undefined when it is. */
function emptinessProblem({ rules }: Chain, header: BlockHeader): string | undefined {
  if (header.transactionsRoot !== undefined && header.transactionsRoot !== EMPTY_ROOT) {
    return 'it has no transactions, but its transactionsRoot is not that of an empty block';
  }
  const alwaysFilledAfter =
    rules.family === 'op-stack'
      ? rules.bedrockBlock
      : rules.family === 'arbitrum'
        ? rules.nitroBlock
        : Infinity;
  return header.number > alwaysFilledAfter
    ? 'it has no transactions, but every block of this chain begins with a protocol transaction'
    : undefined;
}

const isPolygonStateSync = ({ rules }: Chain, receipt: Receipt) =>
  rules.family === 'polygon' && isStateSync(receipt);

/**
 * Removes Polygon's synthetic state-sync transaction, which blocks had before the type 0x7f. Nodes list it in the body, among
 * the receipts, in both or in neither, and its receipt is outside the receiptsRoot. The body decides whether it is counted,
 * and its receipt is never validated. Its hash follows from the block hash, so no other transaction can pass for it.
 */
function withoutStateSync(
  { rules }: Chain,
  header: BlockHeader,
  receipts: readonly Receipt[],
): { hashes: readonly string[]; receipts: readonly Receipt[] } {
  const hashes = header.transactions;
  if (rules.family !== 'polygon' || header.number >= rules.stateSyncTypeFrom) return { hashes, receipts };
  const stateSync = stateSyncHash(header);
  const inBody = hashes.at(-1) === stateSync;
  const inReceipts =
    receipts.at(-1)?.transactionHash === stateSync || (inBody && receipts.length === hashes.length);
  return {
    hashes: inBody ? hashes.slice(0, -1) : hashes,
    receipts: inReceipts ? receipts.slice(0, -1) : receipts,
  };
}

/** https://github.com/0xPolygon/bor core/types/bor_receipt.go: keccak256("matic-bor-receipt-" ‖ number, 8 bytes ‖ block hash) */
function stateSyncHash({ number, hash }: BlockHeader): string {
  const key = concatBytes(
    utf8ToBytes('matic-bor-receipt-'),
    hexToBytes(number.toString(16).padStart(16, '0')),
    hexToBytes(hash.slice(2)),
  );
  return `0x${bytesToHex(keccak_256(key))}`;
}
