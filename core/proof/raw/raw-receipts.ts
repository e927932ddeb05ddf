import type { Chain } from '../../chains/chains.ts';
import { OP_DEPOSIT } from '../../chains/transaction-types.ts';
import { toHex } from '../encoding/hex.ts';
import { inElement, ProofError } from '../encoding/proof-error.ts';
import { RlpWriter } from '../encoding/rlp.ts';
import { createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import { typeOfPayload } from '../fields/read-transactions.ts';
import type { Log } from '../json/rpc-types.ts';

const writer = new RlpWriter();
/** Outcome, cumulative gas, bloom and logs. */
const HASHED_MEMBERS = 4;

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

/**
 * Reads the status and the cumulative gas of a receipt.
 * @param payload type byte and RLP, as the receiptsRoot covers it
 * @throws ProofError naming the receipt
 */
export function readOutcome(payload: Uint8Array, type: number, index: number) {
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
export function readLogs(payload: Uint8Array, index: number): readonly Log[] {
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
