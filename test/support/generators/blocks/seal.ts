import type { Chain } from '#core/chains/chains.ts';
import { isSyntheticStateSync } from '#core/chains/protocol-transactions.ts';
import { unprovenOf } from '#core/chains/provable.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { trieRoot } from '#core/proof/encoding/trie-root.ts';
import { hashTransactions } from '#core/proof/fields/transactions.ts';
import { stateSyncHash } from '#core/proof/hashed-body.ts';
import { headerHash } from '#core/proof/header.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { encodeReceipts } from '#core/proof/receipts.ts';
import { hashOf } from './builders.ts';

export type Json = Readonly<Record<string, unknown>>;

export type RawHeader = Json & {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
};

/** A block as a node has it: hex strings, the header without its transactions. */
export interface RawBlock {
  readonly header: RawHeader;
  /** A Polygon 0x7f transaction also has its `raw` bytes, which are in no block response. */
  readonly transactions: readonly Json[];
  readonly receipts: readonly Json[];
}

/** A block whose hashes, roots and sums are still to be computed. */
export interface UnsealedBlock {
  readonly header: Json & Pick<RawHeader, 'number' | 'parentHash' | 'timestamp'>;
  readonly transactions: readonly Json[];
  readonly receipts: readonly Json[];
}

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
export const NO_HASH = `0x${'0'.repeat(64)}`;
export const NO_BLOOM = `0x${'0'.repeat(512)}`;

/** Members of a header that no rule depends on. */
const HEADER: Json = {
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'0'.repeat(40)}`,
  stateRoot: NO_HASH,
  transactionsRoot: NO_HASH,
  receiptsRoot: NO_HASH,
  logsBloom: NO_BLOOM,
  difficulty: '0x0',
  gasLimit: '0x7270e00',
  gasUsed: '0x0',
  extraData: '0x',
  mixHash: NO_HASH,
  nonce: '0x0000000000000000',
};

/**
 * Computes all that follows from the content of a block: transaction hashes, cumulative gas from each receipt's `gasUsed`, the
 * gas sum, both roots and the block's hash; and writes them into header, transactions and receipts. An altered block that is
 * sealed again is another consistent block, with another hash.
 *
 * Polygon's state-sync pseudo-transaction stays out of the roots and gets the hash that follows from the block's. Blocks that
 * cannot be proven get a hash that is not that of their header, and keep the transactions' hashes.
 */
export function sealBlock(chain: Chain, { header, transactions, receipts }: UnsealedBlock): RawBlock {
  const number = Number(header.number);
  const isPseudo = isPseudoIn(chain, number);
  const body = transactions.filter((transaction) => !isPseudo(transaction));
  const isProvable = unprovenOf(chain.rules, number)?.what !== 'everything';
  // Before Nitro, the cumulative gas of Arbitrum is without the gas for L1.
  const withGas = accumulate(receipts, isPseudo, isProvable ? [] : ['gasUsedForL1']);
  const gasUsed = withGas.findLast((receipt) => !isPseudo(receipt))?.cumulativeGasUsed ?? '0x0';
  // Since Amsterdam the header's gas is another sum.
  const isOtherSum = header.blockAccessListHash !== undefined && header.gasUsed !== undefined;
  const draft = { ...HEADER, ...header, hash: NO_HASH, ...(!isOtherSum && { gasUsed }) };
  const { sealed, hashes } = isProvable
    ? sealProvable(
        chain,
        draft,
        body,
        withGas.filter((receipt) => !isPseudo(receipt)),
      )
    : {
        sealed: { ...draft, hash: hashOf(JSON.stringify([header, transactions, receipts])) },
        hashes: undefined,
      };
  const place = { blockHash: sealed.hash, blockNumber: header.number };
  const hashAt = (index: number) =>
    index < body.length ? (hashes?.[index] ?? body[index]?.hash) : stateSyncHash(number, sealed.hash);
  return {
    header: sealed,
    transactions: transactions.map((transaction, index) => ({
      ...transaction,
      ...place,
      hash: hashAt(index),
      transactionIndex: hex(index),
    })),
    receipts: withGas.map((receipt, index) => ({
      ...receipt,
      ...place,
      transactionHash: hashAt(index),
      transactionIndex: hex(index),
    })),
  };
}

/** Returns whether a transaction or receipt is the pseudo-transaction of a Polygon block. */
function isPseudoIn({ rules }: Chain, number: number): (one: Json) => boolean {
  if (rules.family !== 'polygon' || number >= rules.stateSyncTypeFrom) return () => false;
  return ({ from, to, gas, gasUsed = gas }) =>
    isSyntheticStateSync(String(from), String(to), BigInt(String(gasUsed)));
}

function accumulate(
  receipts: readonly Json[],
  isPseudo: (receipt: Json) => boolean,
  without: readonly string[],
): readonly Json[] {
  let cumulative = 0n;
  return receipts.map((receipt) => {
    if (isPseudo(receipt)) return receipt;
    cumulative += BigInt(String(receipt.gasUsed));
    for (const name of without) cumulative -= BigInt(String(receipt[name] ?? 0));
    return { ...receipt, cumulativeGasUsed: hex(cumulative) };
  });
}

function sealProvable(
  chain: Chain,
  draft: RawHeader,
  body: readonly Json[],
  receipts: readonly Json[],
): { readonly sealed: RawHeader; readonly hashes: readonly string[] } {
  // The decoders write into their input.
  const decoded = decodeBlock({
    ...draft,
    transactions: structuredClone(body).map((transaction) => ({ ...transaction, hash: NO_HASH })),
  });
  const hashed = hashTransactions(chain, decoded.transactions);
  const decodedReceipts = decodeReceipts(
    structuredClone(receipts).map((receipt) => ({ ...receipt, transactionHash: NO_HASH })),
  );
  const roots = {
    transactionsRoot: toHex(trieRoot(hashed.map(({ payload }) => payload))),
    receiptsRoot: toHex(trieRoot(encodeReceipts(chain.rules, decoded, hashed, decodedReceipts))),
  };
  return {
    sealed: { ...draft, ...roots, hash: headerHash({ ...decoded, ...roots }) },
    hashes: hashed.map(({ hash }) => hash),
  };
}

/** Returns a block with some members of its header replaced, and no hash recomputed. */
export const withHeader = <Block extends Pick<RawBlock, 'header'>>(block: Block, members: Json): Block => ({
  ...block,
  header: { ...block.header, ...members },
});

/** Returns the response to `eth_getBlockByNumber`. */
export const blockResponse = ({ header, transactions }: RawBlock, isFull: boolean): Json => ({
  ...header,
  transactions: transactions.map(({ raw, ...transaction }) => (isFull ? transaction : transaction.hash)),
});
