import pMap from 'p-map';
import type { AnchoredNetwork } from '../../anchor/network.ts';
import type { Chain } from '../../chains/chains.ts';
import { isQuantity, isSameHex } from '../../proof/encoding/hex.ts';
import { hashedBody } from '../../proof/hashed-body.ts';
import { createReceiptHasher } from '../../proof/receipts.ts';
import { EndpointError, type FaultKind } from '../../rpc/endpoint.ts';
import type { ConvertElement } from '../../rpc/http/element-stream.ts';
import type { Rpc } from '../../rpc/json-rpc.ts';
import { getReceipt, getReceipts } from '../../rpc/methods.ts';

/** Faults after which an endpoint may still give single receipts. */
const WITHOUT_LIST: ReadonlySet<FaultKind> = new Set(['too large', 'no method', 'unavailable', 'down']);
/** Receipts that are requested at once where an endpoint refuses the whole list. */
const CONCURRENCY = 8;
/** As long as a list may take. */
const MAX_SEPARATE_MS = 150_000;
const UNUSABLE = new Error('Single receipts take too long, or are of other transactions');

/**
 * Reads the receipts of a block. Those of a big block are hashed one by one as they come, and their logs are not kept. Where the
 * endpoint gives no complete list, or this one is larger than is read, each receipt is requested separately.
 * @param block the answer with the block, not decoded
 * @throws EndpointError
 */
export async function readReceipts(
  { chain, feed }: Pick<AnchoredNetwork, 'chain' | 'feed'>,
  rpc: Rpc,
  number: number,
  block: Promise<unknown>,
): Promise<unknown> {
  let parts: Promise<ReturnType<typeof hashedParts>> | undefined;
  const read = () => (parts ??= block.then((answer) => hashedParts(chain, number, answer)));
  const prepare = async (): Promise<ConvertElement> => {
    const { timestamp, transactions } = await read();
    const types = transactions.map(({ type }) => type);
    return createReceiptHasher(chain.rules, { timestamp }, types, feed?.aggregator);
  };
  const list = await getReceipts(rpc, number, prepare).catch(asAbsence);
  const { transactions } = await read();
  const endsAt = performance.now() + MAX_SEPARATE_MS;
  const readAll = async () => {
    const convert = await prepare();
    const readOne = async ({ hash }: { readonly hash: string }, index: number) => {
      // An endpoint may list any number of transactions, and answer slowly.
      if (performance.now() > endsAt) throw UNUSABLE;
      const receipt = await getReceipt(rpc, hash);
      // A large answer of another kind, to each of many calls, would fill the memory.
      if (!isReceiptOf(receipt, hash)) throw UNUSABLE;
      return convert(receipt, index);
    };
    // The first one alone, because a node that has pruned the block has none of them.
    const first = await pMap(transactions.slice(0, 1), readOne);
    const readNext = (one: { readonly hash: string }, index: number) => first[index] ?? readOne(one, index);
    return pMap(transactions, readNext, { concurrency: CONCURRENCY });
  };
  const isComplete = Array.isArray(list) && list.length >= transactions.length;
  const separate = isComplete ? undefined : await readAll().catch(asAbsence);
  if (Array.isArray(separate)) return separate;
  if (list instanceof EndpointError) throw list;
  return list;
}

/** @throws the error, unless the endpoint may give the same in another way */
function asAbsence(error: unknown): unknown {
  if (error === UNUSABLE || (error instanceof EndpointError && WITHOUT_LIST.has(error.kind))) return error;
  throw error;
}

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

const isReceiptOf = (receipt: unknown, hash: string): boolean =>
  typeof receipt === 'object' &&
  receipt !== null &&
  'transactionHash' in receipt &&
  isSameHex(textOf(receipt.transactionHash), hash);

/** An object may throw when it is made a string. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
