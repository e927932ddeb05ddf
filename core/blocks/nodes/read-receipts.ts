import pMap from 'p-map';
import type { Source } from '../../anchor/network.ts';
import type { Chain } from '../../chains/chains.ts';
import { isQuantity } from '../../proof/encoding/hex.ts';
import { hashedBody } from '../../proof/hashed-body.ts';
import { createReceiptHasher } from '../../proof/receipts.ts';
import { EndpointError, type FaultKind, UNAVAILABLE_KINDS } from '../../rpc/endpoint.ts';
import type { ConvertElement } from '../../rpc/http/element-stream.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getReceipt, getReceipts } from '../../rpc/methods.ts';

/** Faults after which an endpoint may still give single receipts. */
const WITHOUT_LIST: ReadonlySet<FaultKind> = new Set(['too large', 'no method', 'unavailable', 'down']);
/** Receipts that are requested at once where an endpoint refuses the whole list. */
const CONCURRENCY = 8;
/** As long as a list may take. */
const MAX_SEPARATE_MS = 150_000;
const LATE = new Error('Single receipts take too long');

/**
 * Reads the receipts of a block. Those of a big block are hashed one by one as they come, and their logs are not kept. Where the
 * endpoint gives no complete list, or this one is larger than is read, each receipt is requested separately.
 * @param block the answer with the block, not decoded
 * @throws EndpointError
 */
export async function readReceipts(
  { chain, feed }: Pick<Source, 'chain' | 'feed'>,
  rpc: Rpc,
  number: number,
  block: Promise<unknown>,
): Promise<unknown> {
  const read = async () => hashedParts(chain, number, await block);
  const prepare = async (): Promise<ConvertElement> => {
    const { timestamp, transactions } = await read();
    const types = transactions.map(({ type }) => type);
    return createReceiptHasher(chain.rules, { timestamp }, types, feed?.aggregator);
  };
  const list = await getReceipts(rpc, number, prepare).catch(asListFault);
  if (Array.isArray(list) && list.length >= countOf(await block)) return list;
  const { transactions } = await read();
  const [first, ...others] = transactions;
  // State syncs need no receipt in a list.
  if (!first || (Array.isArray(list) && list.length >= transactions.length)) return listOrThrow(list);
  const convert = await prepare();
  const endsAt = performance.now() + MAX_SEPARATE_MS;
  const readOne = async ({ hash }: { readonly hash: string }, index: number) => {
    // An endpoint may list any number of transactions, and answer slowly.
    if (performance.now() > endsAt) throw LATE;
    return convert(await getReceipt(rpc, hash), index);
  };
  try {
    // Alone, because a node that has pruned the block has none of them.
    const one = await readOne(first, 0);
    const readNext = (other: typeof first, index: number) => readOne(other, index + 1);
    return [one, ...(await pMap(others, readNext, { concurrency: CONCURRENCY }))];
  } catch (error) {
    const lacksThem =
      error instanceof EndpointError && (WITHOUT_LIST.has(error.kind) || UNAVAILABLE_KINDS.has(error.kind));
    if (error !== LATE && !lacksThem) throw error;
    return listOrThrow(list);
  }
}

/** @throws the error, unless single receipts may be had after it */
function asListFault(error: unknown): EndpointError {
  if (error instanceof EndpointError && WITHOUT_LIST.has(error.kind)) return error;
  throw error;
}

function listOrThrow(list: unknown): unknown {
  if (list instanceof EndpointError) throw list;
  return list;
}

const countOf = (block: unknown): number => {
  const { transactions } = Object(block);
  return Array.isArray(transactions) ? transactions.length : 0;
};

/**
 * Returns the time of a block, and the hashes and types of the transactions that its roots cover. The block is not proven yet: a wrong value
 * makes another root.
 */
function hashedParts(chain: Chain, number: number, block: unknown) {
  const { timestamp, hash, transactions } = block as Readonly<Record<string, unknown>>;
  const given = Array.isArray(transactions) ? transactions : [];
  const listed = given.map((one: { readonly hash?: unknown; readonly type?: unknown } | null) => ({
    hash: textOf(one?.hash),
    type: isQuantity(one?.type) ? Number(one.type) : 0,
  }));
  const body = hashedBody(chain, number, textOf(hash), { transactions: listed }, []);
  return { timestamp: isQuantity(timestamp) ? `${timestamp}` : '', transactions: body.transactions };
}

/** An object may throw when it is made a string. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
