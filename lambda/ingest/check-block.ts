import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Block, BlockHeader, Receipt } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { isStateSync } from '../chains/protocol-transactions.ts';

/**
 * Whether a header and receipts, answered separately and perhaps by different machines behind one address, are one
 * whole block: the asked one, with one receipt for each transaction of its body, in order, nothing missing.
 * The header's `gasUsed` is not compared: EIP-7778 will part it from the receipts' sum.
 * @returns the block, with just the receipts of its body; Polygon's synthetic state-sync transaction has none
 * @throws BlockError saying what does not fit
 */
export function checkBlock(
  chain: Chain,
  number: number,
  header: BlockHeader,
  answered: readonly Receipt[],
): Block {
  const refuse = (problem: string, transaction?: string) => {
    throw new BlockError({ chain: chain.name, block: number, ...(transaction && { transaction }) }, problem);
  };
  checkNumber(chain, number, header);
  const hollow = header.transactions.length === 0 && emptinessProblem(chain, header);
  if (hollow) refuse(hollow);

  const { hashes, receipts } = withoutStateSync(chain, header, answered);
  if (receipts.length !== hashes.length) {
    refuse(`${hashes.length} transactions, but ${receipts.length} receipts`);
  }
  let gasBefore = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const hash = receipt.transactionHash;
    if (hash !== hashes[index]) refuse(`receipt ${index} is not that of transaction ${hashes[index]}`, hash);
    if (receipt.blockHash !== header.hash)
      refuse(`receipt of block hash ${receipt.blockHash}, not ${header.hash}`, hash);
    if (receipt.blockNumber !== number) refuse(`receipt of block ${receipt.blockNumber}`, hash);
    if (receipt.transactionIndex !== index)
      refuse(`receipt ${index} has index ${receipt.transactionIndex}`, hash);
    // Some nodes give a synthetic state-sync transaction, which used none, a cumulativeGasUsed of 0.
    if (isPolygonStateSync(chain, receipt)) continue;
    if (receipt.cumulativeGasUsed !== gasBefore + receipt.gasUsed) {
      refuse(
        `cumulativeGasUsed ${receipt.cumulativeGasUsed} does not follow ${gasBefore} by gasUsed ${receipt.gasUsed}`,
        hash,
      );
    }
    gasBefore = receipt.cumulativeGasUsed;
  }
  return { ...header, receipts };
}

/** @throws BlockError when a node answered with another block than it was asked for */
export function checkNumber(chain: Chain, number: number, header: BlockHeader): void {
  if (header.number === number) return;
  throw new BlockError({ chain: chain.name, block: number }, `the node answered with block ${header.number}`);
}

/** Root of an empty Merkle Patricia trie, keccak256(rlp('')). */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** Why a block without transactions cannot be one, or undefined where it can. */
function emptinessProblem({ rules }: Chain, header: BlockHeader): string | undefined {
  if (header.transactionsRoot !== undefined && header.transactionsRoot !== EMPTY_ROOT) {
    return 'no transactions, but a transactionsRoot that is not empty';
  }
  const alwaysFilledAfter =
    rules.family === 'op-stack'
      ? rules.bedrockBlock
      : rules.family === 'arbitrum'
        ? rules.nitroBlock
        : Infinity;
  return header.number > alwaysFilledAfter
    ? 'no transactions, but every block of this chain begins with one of the protocol'
    : undefined;
}

const isPolygonStateSync = ({ rules }: Chain, receipt: Receipt) =>
  rules.family === 'polygon' && isStateSync(receipt);

/**
 * Before its state-sync transactions had a type, Polygon appended a synthetic one to a block, which nodes disagree
 * about: some list it in the body, some among the receipts, in both or in neither, and its receipt is outside the
 * receiptsRoot. What the body lists is counted, and no block fails over that one receipt, whatever it holds; but only
 * for just that hash, which follows from the block's.
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
