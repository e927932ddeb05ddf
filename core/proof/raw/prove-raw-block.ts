import type { Chain } from '../../chains/chains.ts';
import { mayListStateSync } from '../../chains/protocol-transactions.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { ProofError } from '../encoding/proof-error.ts';
import { proveRoot } from '../encoding/trie-root.ts';
import { readTransactions } from '../fields/read-transactions.ts';
import { decodeRawHeader } from '../header.ts';
import type { Log } from '../json/rpc-types.ts';
import { figuresOf, type Proof, proofOf, unprovenIn } from '../proven-block.ts';
import { checkReceiptCount } from '../receipts.ts';
import { hashedReceipts, readLogs, readOutcome } from './raw-receipts.ts';

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
    return figuresOf(chain, feed, {
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

/** Reads the logs of the receipts that contain the bytes of an address. Searching is faster than decoding all. */
function logsNaming(address: string, receipts: readonly Uint8Array[]): readonly (readonly Log[])[] {
  const bytes = Buffer.from(address.slice(2), 'hex');
  const hasAddress = ({ buffer, byteOffset, length }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, length).includes(bytes);
  return receipts.flatMap((receipt, index) => (hasAddress(receipt) ? [readLogs(receipt, index)] : []));
}
