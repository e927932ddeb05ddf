import type { Chain } from '#core/chains/chains.ts';
import type { Totals } from '#core/figures/totals.ts';
import { checkBlock } from '#core/proof/check-block.ts';
import { ProofError } from '#core/proof/encoding/proof-error.ts';
import { decodeCheckedBlock, decodeCheckedReceipts } from '#core/proof/json/decode-block.ts';
import { addressOf, hashOf } from './builders.ts';
import { hex, type Json } from './seal.ts';

/** The two answers of a node without proofs, with just the members that checks depend on. */
export interface Answers {
  readonly block: Json & { readonly transactions: readonly Json[] };
  readonly receipts: readonly Json[];
}

/** Returns block 100 with some transfers of 21,000 gas at 2 wei, each of whose receipts may be changed. */
export const answersOf = (
  count: number,
  change: (receipt: Json, index: number) => Json = (same) => same,
): Answers => ({
  block: {
    number: hex(100),
    hash: hashOf('block 100'),
    parentHash: hashOf('block 99'),
    timestamp: hex(1_790_000_000),
    miner: addressOf('miner'),
    transactions: Array.from({ length: count }, (_, index) => ({ hash: hashOf(`transaction ${index}`) })),
  },
  receipts: Array.from({ length: count }, (_, index) =>
    change(
      {
        transactionHash: hashOf(`transaction ${index}`),
        transactionIndex: hex(index),
        blockHash: hashOf('block 100'),
        blockNumber: hex(100),
        type: '0x0',
        from: addressOf('sender'),
        to: addressOf('receiver'),
        gasUsed: hex(21_000),
        cumulativeGasUsed: hex(21_000 * (index + 1)),
        effectiveGasPrice: '0x2',
      },
      index,
    ),
  ),
});

/**
 * Returns the sums of a block that is checked.
 * @throws ProofError whose message begins with the field
 */
export function check(chain: Chain, { block, receipts }: Answers): Totals {
  // The decoders write into what they get.
  const [given, of] = structuredClone([block, receipts]);
  const checked = checkBlock(chain, decodeCheckedBlock(given), decodeCheckedReceipts(of));
  if ('sums' in checked) return checked.sums.totals;
  const { field, message, isRuleChange } = checked.refused;
  throw new ProofError(field, `${field}: ${message}`, { isRuleChange });
}
