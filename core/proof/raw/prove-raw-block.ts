import type { Chain } from '../../chains/chains.ts';
import { mayListStateSync } from '../../chains/protocol-transactions.ts';
import { OP_DEPOSIT } from '../../chains/transaction-types.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { toHex } from '../encoding/hex.ts';
import { inElement, ProofError } from '../encoding/proof-error.ts';
import { RlpWriter } from '../encoding/rlp.ts';
import { asBuffer, createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import { proveRoot } from '../encoding/trie-root.ts';
import { readTransactions, typeOfPayload } from '../fields/read-transactions.ts';
import { decodeRawHeader } from '../header.ts';
import type { Log } from '../json/rpc-types.ts';
import { type Proof, proofOf, proveFigures, unprovenIn } from '../proven-block.ts';
import { checkReceiptCount } from '../receipts.ts';

const writer = new RlpWriter();
/** Outcome, cumulative gas, bloom and logs. */
const HASHED_MEMBERS = 4;

/** A block as the bytes that its hashes cover. */
export interface BlockBytes {
  /** RLP. */
  readonly header: Uint8Array;
  /** Each as the transactionsRoot covers it: type byte and RLP, or the RLP alone of a legacy transaction. */
  readonly transactions: readonly Uint8Array[];
  /** Each as the receiptsRoot covers it, with its bloom, in the same form. */
  readonly receipts: readonly Uint8Array[];
  /** True if the node keeps a state-sync pseudo-transaction of Polygon beside the block. No root covers it. */
  readonly hasStateSync?: boolean;
}

/** Derives the figures of a block as `proveBlock` does, from the bytes that its hashes cover. */
export const proveRawBlock = (chain: Chain, raw: BlockBytes, feed?: PriceSource): Proof =>
  proofOf(() => {
    const { receipts, hasStateSync = false } = raw;
    const header = decodeRawHeader(raw.header);
    const unproven = unprovenIn(chain, header);
    if (unproven) throw new ProofError('number', `raw receipts do not state L1 fees, and ${unproven.reason}`);
    checkReceiptCount(raw.transactions, receipts);
    proveRoot('transactions', raw.transactions, header.transactionsRoot);
    proveRoot('receipts', hashedReceipts(chain, receipts), header.receiptsRoot);
    if (hasStateSync && !mayListStateSync(chain.rules, Number(header.number)))
      throw new ProofError('transactions', 'a state-sync stands where no sprint begins');
    const transactions = readTransactions(chain, raw.transactions);
    return proveFigures(chain, feed, {
      header,
      unproven,
      transactions,
      receipts: transactions.map(({ type }, index) =>
        readOutcome(receipts[index] as Uint8Array, type, index),
      ),
      logsOf: (index) => readLogs(receipts[index] as Uint8Array, index),
      logsBy: (address) => logsNaming(address, receipts),
      hasStateSync,
    });
  });

/**
 * Returns receipts as the receiptsRoot covers them. Until Canyon it did not cover the nonce of deposits, but nodes give it anyway:
 * https://specs.optimism.io/protocol/deposits.html#deposit-receipt.
 * @throws ProofError naming the receipt
 */
export const hashedReceipts = ({ rules }: Chain, receipts: readonly Uint8Array[]): readonly Uint8Array[] =>
  rules.family === 'op-stack'
    ? receipts.map((payload, index) => inElement('receipts', index, () => hashedDeposit(payload)))
    : receipts;

/** Removes the nonce of a deposit's receipt, unless the receipt has a version, because then the root covers both. */
function hashedDeposit(payload: Uint8Array): Uint8Array {
  if (payload[0] !== OP_DEPOSIT) return payload;
  const items = createListReader(payload, '', 1);
  const hashed = items.items(HASHED_MEMBERS, '');
  if (items.isAtEnd()) return payload;
  items.skip('depositNonce');
  if (!items.isAtEnd()) return payload;
  writer.truncate(0);
  writer.rawBytes(hashed);
  writer.list(0);
  writer.rawByte(OP_DEPOSIT);
  return writer.since(0).slice();
}

/** Reads the status and the cumulative gas of a receipt. @throws ProofError naming the receipt */
function readOutcome(payload: Uint8Array, type: number, index: number) {
  return inElement('receipts', index, () => {
    if (typeOfPayload(payload) !== type) {
      throw new ProofError('type', `${typeOfPayload(payload)} is not the type of its transaction, ${type}`);
    }
    const items = createListReader(payload, '', type === 0 ? 0 : 1);
    const status = items.payload('status');
    // A longer value is the state root, which receipts had instead of a status before Byzantium.
    const isFailed = status.length > 1 ? undefined : status.length === 0;
    return { isFailed, cumulativeGasUsed: items.integer('cumulativeGasUsed') };
  });
}

/** Reads the logs of a receipt whose outcome was read. @throws ProofError naming the receipt */
function readLogs(payload: Uint8Array, index: number): readonly Log[] {
  return inElement('receipts', index, () => {
    const items = createListReader(payload, '', typeOfPayload(payload) === 0 ? 0 : 1);
    for (const field of ['status', 'cumulativeGasUsed', 'logsBloom']) items.skip(field);
    const logs = items.list('logs');
    const found: Log[] = [];
    while (!logs.isAtEnd()) found.push(readLog(logs.list('logs')));
    return found;
  });
}

function readLog(log: RlpReader): Log {
  const address = toHex(log.payload('logs'));
  const given = log.list('logs');
  const topics: string[] = [];
  while (!given.isAtEnd()) topics.push(toHex(given.payload('logs')));
  return { address, topics, data: toHex(log.payload('logs')) };
}

/** Reads the logs of the receipts that contain the bytes of an address. Searching is faster than decoding all. */
function logsNaming(address: string, receipts: readonly Uint8Array[]): readonly (readonly Log[])[] {
  const bytes = Buffer.from(address.slice(2), 'hex');
  return receipts.flatMap((receipt, index) =>
    asBuffer(receipt).includes(bytes) ? [readLogs(receipt, index)] : [],
  );
}
