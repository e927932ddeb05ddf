import type { BlobRules, Rules } from '../../chains/rule-types.ts';
import { BLOB } from '../../chains/transaction-types.ts';
import type { BlobGas, BlockHeader } from '../../figures/block.ts';
import { changedRule } from '../encoding/proof-error.ts';
import type { PricedMembers, RpcHeader } from '../json/rpc-types.ts';
import { blobRulesAt, GAS_PER_BLOB, isBlobGasBelow } from './blob-fee.ts';

/*
 * The price of a blob follows from excessBlobGas, which follows from the parent's header. A fork may change the numbers of that rule and
 * leave no other trace in the block, so each header is checked against its parent.
 */

/** https://eips.ethereum.org/EIPS/eip-7918#specification */
const BLOB_BASE_COST = 8_192n;

/** Reads the members that decide the price of blobs in the next block. @param header proven */
export const readBlobGas = ({ excessBlobGas, blobGasUsed, baseFeePerGas }: RpcHeader): BlobGas | undefined =>
  excessBlobGas == null || blobGasUsed == null
    ? undefined
    : { excess: BigInt(excessBlobGas), used: BigInt(blobGasUsed), baseFee: BigInt(baseFeePerGas ?? 0) };

/**
 * Checks the blobs of a block against the schedule of its chain.
 * @throws ProofError when the header states another sum, or the block has more blobs than it may
 */
export function checkBlobs(
  rules: Rules,
  header: RpcHeader,
  transactions: readonly Pick<PricedMembers, 'type' | 'blobVersionedHashes'>[],
): void {
  const blobGas = readBlobGas(header);
  const blobRules =
    'blobSchedule' in rules ? blobRulesAt(rules.blobSchedule, Number(header.timestamp)) : undefined;
  if (!blobGas || !blobRules) return;
  // On other types, no hash covers this member.
  const blobs = transactions
    .filter(({ type }) => Number(type) === BLOB)
    .reduce((sum, { blobVersionedHashes }) => sum + (blobVersionedHashes?.length ?? 0), 0);
  if (blobGas.used !== BigInt(blobs) * GAS_PER_BLOB)
    throw changedRule('blobGasUsed', `it is ${blobGas.used}, and the block has ${blobs} blobs`);
  const max = mayHaveBlobs(blobRules, Number(header.number)) ? blobRules.max : 0;
  if (blobs > max) throw changedRule('blobGasUsed', `the block has ${blobs} blobs, and may have ${max}`);
}

type Linked = Pick<BlockHeader, 'number' | 'timestamp' | 'blobGas'>;

/**
 * Returns a problem if a block's excessBlobGas does not follow from its parent:
 * https://eips.ethereum.org/EIPS/eip-4844#header-extension, EIP-7691, EIP-7892 and EIP-7918. Both headers are proven.
 */
export function excessProblem(rules: Rules, parent: Linked, child: Linked): string | undefined {
  if (!('blobSchedule' in rules)) return undefined;
  const blobRules = blobRulesAt(rules.blobSchedule, child.timestamp);
  // Without either, no transaction with blobs has a price, and none is accepted.
  if (!blobRules || !child.blobGas) return undefined;
  const expected = excessAfter(blobRules, parent);
  if (child.blobGas.excess === expected) return undefined;
  const { field, message } = changedRule(
    'excessBlobGas',
    `it is ${child.blobGas.excess}, and ${expected} follows from block ${parent.number} by the schedule known here`,
  );
  return `${field}: ${message}`;
}

const mayHaveBlobs = ({ interval = 1 }: BlobRules, number: number): boolean => number % interval === 0;

/** Returns the excess of the block after one. @param rules in force at the time of the later block */
function excessAfter(
  rules: BlobRules,
  { number, blobGas = { excess: 0n, used: 0n, baseFee: 0n } }: Linked,
): bigint {
  const { excess, used, baseFee } = blobGas;
  if (!mayHaveBlobs(rules, number)) return excess;
  const target = BigInt(rules.target) * GAS_PER_BLOB;
  if (excess + used < target) return 0n;
  // Rounded up, because the specification compares this share times GAS_PER_BLOB.
  const reserve = (BLOB_BASE_COST * baseFee + GAS_PER_BLOB - 1n) / GAS_PER_BLOB;
  if (rules.hasReservePrice && isBlobGasBelow(rules, excess, reserve))
    return excess + (used * BigInt(rules.max - rules.target)) / BigInt(rules.max);
  return excess + used - target;
}
