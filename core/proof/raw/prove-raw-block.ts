import type { Chain } from '../../chains/chains.ts';
import { mayListStateSync } from '../../chains/protocol-transactions.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { mayContain } from '../encoding/bloom.ts';
import { toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { ProofError } from '../encoding/proof-error.ts';
import { proveRoot } from '../encoding/trie-root.ts';
import type { Log } from '../json/rpc-types.ts';
import { updatesIn } from '../price-updates.ts';
import { priceContext } from '../prices/price-context.ts';
import {
  linkOf,
  type Outcome,
  type Proof,
  type ProvenBlock,
  type ProvenTransaction,
  price,
  proofOf,
  STATE_SYNC,
  unprovenIn,
} from '../proven-block.ts';
import { checkReceiptCount, proveGas } from '../receipts.ts';
import { withoutDonatedGas } from '../redeems.ts';
import { decodeRawHeader } from './raw-header.ts';
import { hashedReceipts, readLogs, readOutcome } from './raw-receipts.ts';
import { decodeRawTransaction } from './raw-transactions.ts';

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
  proofOf(() => proveRaw(chain, raw, feed));

function proveRaw(chain: Chain, raw: BlockBytes, feed: PriceSource | undefined): ProvenBlock {
  const header = decodeRawHeader(raw.header);
  const unproven = unprovenIn(chain, header);
  if (unproven) throw new ProofError('number', `raw receipts do not state L1 fees, and ${unproven.reason}`);
  checkReceiptCount(raw.transactions, raw.receipts);
  proveRoot('transactions', raw.transactions, header.transactionsRoot);
  proveRoot('receipts', hashedReceipts(chain, raw.receipts), header.receiptsRoot);
  const hashed = raw.transactions.map((payload, index) => decodeRawTransaction(chain, payload, index));
  const stated = hashed.map(({ type }, index) => readOutcome(raw.receipts[index] as Uint8Array, type, index));
  const sources = hashed.map(({ source }) => source);
  const gas = proveGas(header, sources, stated);
  const outcomes = stated.map(({ isFailed }, index) => ({ isFailed, gasUsed: gas[index] as bigint }));
  const context = priceContext(chain, { ...header, transactions: sources });
  const priced = hashed.map(
    (transaction, index) =>
      price(context, transaction.source, transaction, outcomes[index] as Outcome, index).priced,
  );
  const transactions = withoutDonatedGas(chain.rules, priced, {
    hashOf: (index) => toHex(keccak256(raw.transactions[index] as Uint8Array)),
    limitOf: (index) => sources[index]?.gas,
    logsOf: (index) => readLogs(raw.receipts[index] as Uint8Array, index),
    baseFee: context.baseFee,
  });
  const mayHavePrices = feed !== undefined && mayContain(header.logsBloom, feed.aggregator);
  const logs = mayHavePrices ? logsNaming(feed.aggregator, raw.receipts) : [];
  const prices = feed && { ...feed, ...updatesIn(logs, feed.aggregator, Number(header.timestamp)) };
  const stateSync = raw.hasStateSync ? [stateSyncIn(chain, Number(header.number))] : [];
  return { ...linkOf(header, header.hash), unproven, transactions: [...transactions, ...stateSync], prices };
}

/** @throws ProofError if no sprint begins with the block */
function stateSyncIn({ rules }: Chain, number: number): ProvenTransaction {
  if (mayListStateSync(rules, number)) return STATE_SYNC;
  throw new ProofError('transactions', 'a state-sync stands where no sprint begins');
}

/** Reads the logs of the receipts that contain the bytes of an address. Searching is faster than decoding all. */
function logsNaming(address: string, receipts: readonly Uint8Array[]): readonly (readonly Log[])[] {
  const bytes = Buffer.from(address.slice(2), 'hex');
  const hasAddress = ({ buffer, byteOffset, length }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, length).includes(bytes);
  return receipts.flatMap((receipt, index) => (hasAddress(receipt) ? [readLogs(receipt, index)] : []));
}
