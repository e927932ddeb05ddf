import { typeOfPayload } from './raw-transactions.ts';
import { openList } from './rlp-reader.ts';
import { inElement, ProofError } from './types.ts';

/**
 * Reads the cumulative gas of a receipt, as hex.
 * @param payload type byte and RLP, as the receiptsRoot covers it
 * @param type of its transaction
 * @throws ProofError naming the receipt
 */
export function readCumulativeGas(payload: Uint8Array, type: number, index: number): string {
  return inElement('receipts', index, () => {
    if (typeOfPayload(payload) !== type) {
      throw new ProofError('type', `${typeOfPayload(payload)} is not the type of its transaction, ${type}`);
    }
    const items = openList(type === 0 ? payload : payload.subarray(1), '');
    items.skip('status');
    return items.quantity('cumulativeGasUsed');
  });
}
