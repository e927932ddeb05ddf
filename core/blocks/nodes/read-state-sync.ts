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
  if (!Array.isArray(transactions)) return block;
  const last: { readonly type?: unknown; readonly raw?: unknown } | null | undefined = transactions.at(-1);
  const isStateSync = isQuantity(last?.type) && Number(last.type) === POLYGON_STATE_SYNC;
  if (!isStateSync || typeof last.raw === 'string') return block;
  try {
    const raw = await getRawTransaction(rpc, number, transactions.length - 1);
    return { ...(block as object), transactions: transactions.with(-1, { ...last, raw }) };
  } catch (error) {
    if (error instanceof EndpointError && UNAVAILABLE_KINDS.has(error.kind)) return block;
    throw error;
  }
}
