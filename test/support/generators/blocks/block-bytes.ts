import { RLP } from '@ethereumjs/rlp';
import type { Chain } from '#core/chains/chains.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { hashTransactions } from '#core/proof/fields/transactions.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { APPENDED_FIELDS, BASE_FIELDS, type RpcBlock, type RpcReceipt } from '#core/proof/json/rpc-types.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';

/** An item for the RLP of another library; `0x` hex becomes bytes, and a number the shortest ones. */
export type Item = string | number | Uint8Array | readonly Item[];
export const rlp = (item: Item): Uint8Array => RLP.encode(item as Parameters<typeof RLP.encode>[0]);

/** An item that was decoded. */
export type Nested = Uint8Array | readonly Nested[];
export const decodeRlp = (bytes: Uint8Array) => RLP.decode(bytes) as Nested;

/** Returns whether a transaction or receipt is a list. A typed one has its type before the list, and is a byte string where it is nested. */
export const isLegacy = (payload: Uint8Array): boolean => (payload[0] ?? 0) >= 0xc0;
export const inList = (payload: Uint8Array): Nested => (isLegacy(payload) ? decodeRlp(payload) : payload);

/** Removes the leading zeros of a quantity. */
const minimal = (hex: string | null | undefined): string => {
  const digits = (hex ?? '0x').slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
};

/** Encodes a header as RLP. */
export function headerBytes(header: Omit<RpcBlock, 'transactions'>): Uint8Array {
  const members = [...BASE_FIELDS, ...APPENDED_FIELDS].flatMap(([name, form]) => {
    const value = header[name];
    if (value === undefined) return [];
    return [form === 'quantity' ? minimal(value) : value];
  });
  return rlp(members);
}

/** Returns the members of a receipt without its bloom, in the order of its RLP. */
const receiptMembers = ({ status, root, cumulativeGasUsed, logs }: RpcReceipt) => ({
  outcome: root ?? minimal(status),
  gas: minimal(cumulativeGasUsed),
  logs: logs.map(({ address, topics, data }) => [address, topics, data]),
});

function receiptBytes(receipt: RpcReceipt, type: number): Uint8Array {
  const { outcome, gas, logs } = receiptMembers(receipt);
  const deposit = [receipt.depositNonce, receipt.depositReceiptVersion].flatMap((given) =>
    given ? [minimal(given)] : [],
  );
  const list = rlp([outcome, gas, receipt.logsBloom ?? '0x', logs, ...deposit]);
  return type === 0 ? list : Uint8Array.of(type, ...list);
}

/** Returns the bytes that the hashes of a block cover, from the responses of a node. */
export const bytesOf = (
  chain: Chain,
  { header, transactions, receipts }: Record<'header' | 'transactions' | 'receipts', object>,
): BlockBytes =>
  blockBytes(
    chain,
    decodeBlock(structuredClone({ ...header, transactions })),
    decodeReceipts(structuredClone(receipts)),
  );

/** Returns the bytes that the hashes of a block cover, and as nodes do the nonce of each deposit of the OP stack. */
export function blockBytes(chain: Chain, block: RpcBlock, receipts: readonly RpcReceipt[]): BlockBytes {
  const hashed = hashTransactions(chain, block.transactions);
  return {
    header: headerBytes(block),
    // The payloads are only valid until the next block is hashed.
    transactions: hashed.map(({ payload }) => payload.slice()),
    receipts: hashed.map(({ type }, index) => receiptBytes(receipts[index] as RpcReceipt, type)),
  };
}

/** The results of `debug_getRawBlock` and `debug_getRawReceipts`. */
export interface RawAnswers {
  readonly block: string;
  readonly receipts: readonly string[];
}

/**
 * Encodes a block as a node does: https://github.com/ethereum/go-ethereum core/types/block.go.
 * @param block the result of `eth_getBlockByNumber` with transactions, and for Polygon the `raw` bytes of a state-sync transaction
 * @param receipts the result of `eth_getBlockReceipts`
 */
export function rawAnswersOf(chain: Chain, block: object, receipts: readonly object[]): RawAnswers {
  // The decoders write into their input.
  const decoded = decodeBlock(structuredClone(block));
  const bytes = blockBytes(chain, decoded, decodeReceipts(structuredClone(receipts)));
  const withdrawals = decoded.withdrawalsRoot === undefined ? [] : [[]];
  const members = [decodeRlp(bytes.header), bytes.transactions.map(inList), [], ...withdrawals];
  return { block: toHex(rlp(members)), receipts: bytes.receipts.map(toHex) };
}
