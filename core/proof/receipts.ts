import type { Rules } from '../chains/rule-types.ts';
import { OP_DEPOSIT, POLYGON_STATE_SYNC } from '../chains/transaction-types.ts';
import { bloomOf } from './encoding/bloom.ts';
import { isSameHex, shown } from './encoding/hex.ts';
import { changedRule, inElement, ProofError, unknownRule } from './encoding/proof-error.ts';
import { RlpWriter, writeEach } from './encoding/rlp.ts';
import { checkRoot, createTrieLeaves, proveRoot, type TrieLeaves } from './encoding/trie-root.ts';
import type { Transaction } from './fields/read-transactions.ts';
import { writeHashes } from './fields/transaction-fields.ts';
import type { HashedTransaction } from './fields/transactions.ts';
import { decodeReceipt } from './json/decode-block.ts';
import { LEAF, type RpcBlock, type RpcReceipt } from './json/rpc-types.ts';
import type { Outcome } from './prices/prices.ts';
import { feeLogAddress } from './prices/redeems.ts';

const writer = new RlpWriter();

/**
 * Returns the payloads of receipts, valid until the next are encoded.
 * @param transactions only their types are hashed
 * @throws ProofError naming a field that is missing or malformed
 */
export function encodeReceipts(
  rules: Rules,
  { timestamp }: Pick<RpcBlock, 'timestamp'>,
  transactions: readonly Pick<HashedTransaction, 'type'>[],
  receipts: readonly RpcReceipt[],
): readonly Uint8Array[] {
  const isCanyon = isSinceCanyon(rules, timestamp);
  return writeEach(writer, 'receipts', receipts, (receipt, index) =>
    writePayload(receipt, (transactions[index] as HashedTransaction).type, isCanyon),
  );
}

const isSinceCanyon = (rules: Rules, timestamp: string): boolean =>
  rules.family === 'op-stack' && Number(timestamp) >= rules.canyonTime;

/**
 * Checks that receipts are those of `transactions`, in order, and hash to the block's receiptsRoot.
 * @throws ProofError naming the receipt's field or the root
 */
export function proveReceipts(
  rules: Rules,
  block: RpcBlock,
  transactions: readonly HashedTransaction[],
  receipts: readonly RpcReceipt[],
): readonly GasReceipt[] {
  checkReceiptCount(transactions, receipts);
  for (const [index, receipt] of receipts.entries()) {
    inElement('receipts', index, () => proveIdentity(transactions[index] as HashedTransaction, receipt));
  }
  if (receipts.some((receipt) => LEAF in receipt)) proveLeaves(receipts, block.receiptsRoot);
  else proveRoot('receipts', encodeReceipts(rules, block, transactions, receipts), block.receiptsRoot);
  return receipts.map((receipt) => ({
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    gasUsed: receipt.gasUsed,
    isFailed: isFailed(receipt),
  }));
}

/** Returns a function that hashes receipts one by one. It keeps only the logs of an aggregator, and those that decide fees. */
export function createReceiptHasher(
  rules: Rules,
  { timestamp }: Pick<RpcBlock, 'timestamp'>,
  types: readonly number[],
  aggregator?: string,
): (receipt: unknown, index: number) => unknown {
  const isCanyon = isSinceCanyon(rules, timestamp);
  const leaves = createTrieLeaves(types.length);
  const kept = [aggregator, feeLogAddress(rules)].filter((address) => address !== undefined);
  return (value, index) => {
    const type = types[index];
    // Polygon's pseudo-transaction may have one more, which no root covers.
    if (type === undefined || typeof value !== 'object' || value === null) return value;
    const { logs, logsBloom, ...rest } = value as Partial<RpcReceipt>;
    const leaf = leafOf(leaves, value, index, type, isCanyon);
    return {
      ...rest,
      [LEAF]: leaf,
      ...(kept.length > 0 && Array.isArray(logs) && { logs: logsOf(logs, kept) }),
    };
  };
}

/** Returns the logs of some contracts. A log without an address is refused when its receipt is hashed. */
const logsOf = (logs: RpcReceipt['logs'], addresses: readonly string[]) =>
  logs.filter(
    (log) => typeof log?.address === 'string' && addresses.some((address) => isSameHex(log.address, address)),
  );

function leafOf(leaves: TrieLeaves, value: object, index: number, type: number, isCanyon: boolean) {
  try {
    return inElement('receipts', index, () => {
      writer.truncate(0);
      writePayload(decodeReceipt(value), type, isCanyon);
      return leaves.hash(index, writer.since(0));
    });
  } catch (error) {
    // A block that is only checked may lack members that are hashed.
    if (error instanceof ProofError) return error;
    throw error;
  }
}

/** @throws ProofError naming the receipt's field or the root */
function proveLeaves(receipts: readonly RpcReceipt[], given: string): void {
  const hashes = receipts.map(({ [LEAF]: leaf }) => {
    if (leaf instanceof Uint8Array) return leaf;
    throw leaf ?? new ProofError('receipts', 'some were not hashed as they came');
  });
  checkRoot('receipts', hashes.length, createTrieLeaves(hashes.length).root(hashes), given);
}

/** @throws ProofError unless there is one receipt for each transaction */
export function checkReceiptCount(transactions: readonly unknown[], receipts: readonly unknown[]): void {
  if (receipts.length === transactions.length) return;
  throw new ProofError('receipts', `${receipts.length} receipts of ${transactions.length} transactions`);
}

function proveIdentity({ hash, type }: HashedTransaction, receipt: RpcReceipt): void {
  if (type !== POLYGON_STATE_SYNC && !isSameHex(receipt.transactionHash, hash)) {
    throw new ProofError(
      'transactionHash',
      `${shown(receipt.transactionHash)} is not its transaction, ${hash}`,
    );
  }
  if (receipt.type !== undefined && Number(receipt.type) !== type) {
    throw new ProofError('type', `${shown(receipt.type)} is not the type of its transaction, ${type}`);
  }
}

function writePayload(receipt: RpcReceipt, type: number, isCanyon: boolean): void {
  const mark = writer.size();
  if (type === OP_DEPOSIT) writeDepositNonce(receipt, isCanyon);
  writeLogs(receipt.logs);
  writer.fixed(receipt.logsBloom ?? bloomOf(receipt.logs), 256, 'logsBloom');
  writer.quantity(receipt.cumulativeGasUsed, 'cumulativeGasUsed');
  writeOutcome(receipt);
  writer.list(mark);
  if (type > 0) writer.rawByte(type);
}

/**
 * Writes both members. Before Canyon neither is hashed, although nodes give the nonce, and some give a version of 0.
 * https://specs.optimism.io/protocol/deposits.html#deposit-receipt
 */
function writeDepositNonce({ depositNonce, depositReceiptVersion }: RpcReceipt, isCanyon: boolean): void {
  if (!isCanyon && Number(depositReceiptVersion ?? 0) === 0) return;
  writer.quantity(depositReceiptVersion ?? '0x1', 'depositReceiptVersion');
  writer.quantity(depositNonce, 'depositNonce');
}

/**
 * Writes the status, or the state root that receipts had before Byzantium. For those, some nodes also give a status that they derived. A
 * root of another length, or of zeros, is ignored.
 */
function writeOutcome({ status, root }: RpcReceipt): void {
  if (hasRoot(root)) writer.fixed(root, 32, 'status');
  else writer.quantity(status, 'status');
}

const hasRoot = (root: RpcReceipt['root']): boolean =>
  root?.length === 2 + 2 * 32 && /[1-9a-f]/i.test(root.slice(2));

/** Returns undefined if the receipt has a root, because then no hash covers the status. */
const isFailed = ({ status, root }: RpcReceipt): boolean | undefined =>
  hasRoot(root) ? undefined : Number(status) === 0;

function writeLogs(logs: RpcReceipt['logs']): void {
  const mark = writer.size();
  for (let index = logs.length - 1; index >= 0; index--) {
    const { address, topics, data } = logs[index] as RpcReceipt['logs'][number];
    const log = writer.size();
    writer.data(data, 'logs');
    writeHashes(writer, topics, 'logs');
    writer.fixed(address, 20, 'logs');
    writer.list(log);
  }
  writer.list(mark);
}

/** The outcome of a transaction as its receipt states it. RLP states only the cumulative gas. */
export interface GasReceipt extends Pick<Outcome, 'isFailed'> {
  readonly cumulativeGasUsed: string | bigint;
  readonly gasUsed?: string | null | undefined;
}

/**
 * Derives the gas that each transaction used. The root covers the cumulative gas, so the difference to the receipt before is proven.
 *
 * Since Amsterdam, which added the access list's hash, the header states the larger of two sums of gas before refunds, but the receipts
 * still add up what senders pay for (EIP-7778 and EIP-8037, "Receipt semantics"). Then the limit of each transaction bounds its gas.
 * @throws ProofError when a receipt states another value, or the sum is not the header's
 */
export function proveGas(
  block: Pick<RpcBlock, 'gasUsed' | 'blockAccessListHash'>,
  transactions: readonly Pick<Transaction, 'gas'>[],
  receipts: readonly Omit<GasReceipt, 'isFailed'>[],
): readonly bigint[] {
  const isAmsterdam = typeof block.blockAccessListHash === 'string';
  let before = 0n;
  const used = receipts.map(({ cumulativeGasUsed, gasUsed: given }, index) =>
    inElement('receipts', index, () => {
      const cumulative = BigInt(cumulativeGasUsed);
      const gasUsed = cumulative - before;
      if (gasUsed < 0n)
        throw new ProofError('cumulativeGasUsed', `${cumulative} is less than the one before`);
      before = cumulative;
      // Absent for types that no sender signed.
      const limit = transactions[index]?.gas;
      if (isAmsterdam && limit !== undefined && gasUsed > limit) {
        const problem = `it adds ${gasUsed} gas, and the limit of the transaction is ${limit}`;
        throw changedRule('cumulativeGasUsed', problem);
      }
      if (given === undefined || given === null || BigInt(given) === gasUsed) return gasUsed;
      throw new ProofError('gasUsed', `${given} is not ${gasUsed}, which the cumulative gas gives`);
    }),
  );
  if (isAmsterdam || before === BigInt(block.gasUsed)) return used;
  throw unknownRule(
    'gasUsed',
    `the receipts add up to ${before} gas, and the header states ${BigInt(block.gasUsed)}; if every endpoint says so, this chain has forked: update Chain Insights`,
  );
}
