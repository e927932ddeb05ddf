import type { Chain } from '../../chains/chains.ts';
import { POLYGON_STATE_SYNC } from '../../chains/transaction-types.ts';
import { isQuantity } from '../../proof/encoding/hex.ts';
import { EndpointError, UNAVAILABLE_KINDS } from '../../rpc/endpoint.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getRawTransaction } from '../../rpc/methods.ts';

/**
 * Adds the bytes of Polygon's state-sync transaction (type 0x7f, the last of its block) to a block: the transactionsRoot covers data
 * that its JSON lacks. Where the endpoint does not serve them the block stays as it is, and the proof refuses it.
 * @param block not decoded
 */
export async function withRawStateSync(
  { rules }: Chain,
  rpc: Rpc,
  number: number,
  block: unknown,
): Promise<unknown> {
  if (rules.family !== 'polygon' || number < rules.stateSyncTypeFrom) return block;
  const { transactions } = block as { readonly transactions?: unknown };
  const last: unknown = Array.isArray(transactions) ? transactions.at(-1) : undefined;
  if (!Array.isArray(transactions) || !isStateSyncWithoutBytes(last)) return block;
  try {
    const raw = await getRawTransaction(rpc, number, transactions.length - 1);
    return { ...(block as object), transactions: transactions.with(-1, { ...last, raw }) };
  } catch (error) {
    if (error instanceof EndpointError && UNAVAILABLE_KINDS.has(error.kind)) return block;
    throw error;
  }
}

const isStateSyncWithoutBytes = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  isQuantity(value.type) &&
  Number(value.type) === POLYGON_STATE_SYNC &&
  !('raw' in value && typeof value.raw === 'string');
