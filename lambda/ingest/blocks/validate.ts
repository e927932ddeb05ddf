import type { BlockHeader } from '../../chains/block.ts';
import { BlockError } from '../../chains/block-error.ts';
import { unprovenOf } from '../../chains/provable.ts';
import { type Totals, totalsOf } from '../../chains/totals.ts';
import { decodeBlock, decodeReceipts } from '../../proof/decode-block.ts';
import { proveBlock } from '../../proof/prove-block.ts';
import { proveRawBlock } from '../../proof/prove-raw-block.ts';
import type { Proof } from '../../proof/proven-block.ts';
import { splitBlock } from '../../proof/raw-body.ts';
import { ProofError, type Refusal, refusalOf } from '../../proof/types.ts';
import { DecodeError } from '../../rpc/decode.ts';
import type { Attempt, Refused } from '../../rpc/retry.ts';
import type { Source } from '../endpoints.ts';
import { checkBlock } from './check.ts';

/** A valid block, of which only the sums and the place in the chain are kept. */
export interface ValidBlock extends BlockHeader {
  readonly totals: Totals;
  /** Every figure follows from the block's hash. */
  readonly isProven: boolean;
}

/**
 * Proves a block from the two responses of an endpoint, and sums it. Blocks that cannot be proven, by their age or by the
 * operator's choice, pass consistency checks instead.
 * @param block the result of `eth_getBlockByNumber(number, true)`, not decoded
 * @param receipts the result of `eth_getBlockReceipts`, not decoded
 */
export function validateBlock(
  { chain, evidence }: Pick<Source, 'chain' | 'evidence'>,
  number: number,
  block: unknown,
  receipts: unknown,
): Attempt<ValidBlock> {
  if (unprovenOf(chain.rules, number)?.what === 'everything')
    return check({ chain }, number, block, receipts);
  const proof = prove({ chain }, number, block, receipts);
  // With the policy `checked`, the operator accepts nodes that do not give all that is hashed, but not rules that are unknown here.
  const isAccepted = evidence === 'checked' && 'refused' in proof && proof.fault === 'not proven';
  return isAccepted ? check({ chain }, number, block, receipts) : proof;
}

/**
 * Proves a block from its RLP, and sums it.
 * @param block header, transactions and more, as `debug_getRawBlock` gives them
 * @param receipts as `debug_getRawReceipts` gives them
 */
export function validateRawBlock(
  { chain }: Pick<Source, 'chain'>,
  number: number,
  block: Uint8Array,
  receipts: readonly Uint8Array[],
): Attempt<ValidBlock> {
  return sumProven(chain.name, number, () => proveRawBlock(chain, { ...splitBlock(block), receipts }));
}

const prove = (
  { chain }: Pick<Source, 'chain'>,
  number: number,
  block: unknown,
  receipts: unknown,
): Attempt<ValidBlock> =>
  sumProven(chain.name, number, () => proveBlock(chain, decodeBlock(block), decodeReceipts(receipts)));

/** @param prove may throw ProofError when it decodes the block */
function sumProven(chain: string, number: number, prove: () => Proof): Attempt<ValidBlock> {
  try {
    const proof = prove();
    if ('refused' in proof) return notProven(chain, number, proof.refused);
    const { proven } = proof;
    if (proven.number !== number) return wrongNumber(chain, number, proven.number);
    const { hash, parentHash, timestamp } = proven;
    const isProven = proven.unproven === undefined;
    return { value: { number, hash, parentHash, timestamp, totals: proof.totals, isProven } };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return notProven(chain, number, refusalOf(error));
  }
}

const notProven = (chain: string, number: number, { field, problem, isRuleChange }: Refusal): Refused => ({
  refused: `${chain} block ${number}: ${field}: ${problem}`,
  fault: isRuleChange ? 'unknown rule' : 'not proven',
});

const wrongNumber = (chain: string, number: number, given: number): Refused => ({
  refused: `${chain} block ${number}: the node answered with block ${given}`,
});

function check(
  { chain }: Pick<Source, 'chain'>,
  number: number,
  block: unknown,
  receipts: unknown,
): Attempt<ValidBlock> {
  try {
    const checked = checkBlock(chain, number, block, receipts);
    const { hash, parentHash, timestamp } = checked;
    return {
      value: { number, hash, parentHash, timestamp, totals: totalsOf(chain, checked), isProven: false },
    };
  } catch (error) {
    if (error instanceof BlockError) return { refused: error.message };
    if (error instanceof ProofError) return notProven(chain.name, number, refusalOf(error));
    if (error instanceof DecodeError) {
      return { refused: `${chain.name} block ${number}: ${error.message}`, fault: 'invalid response' };
    }
    throw error;
  }
}
