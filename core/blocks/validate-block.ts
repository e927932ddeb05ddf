import type { AnchoredNetwork } from '../anchor/network.ts';
import type { Chain } from '../chains/chains.ts';
import { isOnlyChecked } from '../chains/provable.ts';
import { ARBITRUM_CLASSIC, BLOB, OP_DEPOSIT } from '../chains/transaction-types.ts';
import type { ValidBlock } from '../figures/block.ts';
import { policyAt } from '../figures/day-figures.ts';
import { checkBlock } from '../proof/check-block.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import {
  decodeBlock,
  decodeCheckedBlock,
  decodeCheckedReceipts,
  decodeReceipts,
} from '../proof/json/decode-block.ts';
import type { RpcReceipt } from '../proof/json/rpc-types.ts';
import { proveBlock } from '../proof/prove-block.ts';
import type { Proof } from '../proof/proven-block.ts';
import { type BlockBytes, proveRawBlock } from '../proof/raw/prove-raw-block.ts';
import type { FaultKind } from '../rpc/endpoint.ts';
import type { Attempt } from '../rpc/failover.ts';

/**
 * Proves a block from the two responses of an endpoint, and sums it. Blocks that cannot be proven, by their age or by the
 * operator's choice, pass consistency checks instead.
 * @param block the result of `eth_getBlockByNumber(number, true)`, not decoded
 * @param receipts the result of `eth_getBlockReceipts`, not decoded
 */
export function validateBlock(
  { chain, evidence, feed }: Pick<AnchoredNetwork, 'chain' | 'evidence' | 'feed'>,
  number: number,
  block: unknown,
  receipts: unknown,
): Attempt<ValidBlock> {
  const policy = policyAt(evidence, number);
  const isClassic = isOnlyChecked(chain.rules, number);
  const check = () =>
    sum(chain, number, 'invalid block', () =>
      checkBlock(
        chain,
        decodeCheckedBlock(block),
        // Nodes of Arbitrum Classic state no type.
        decodeCheckedReceipts(receipts, isClassic ? ARBITRUM_CLASSIC : undefined),
        policy === 'stated',
      ),
    );
  if (isClassic) return check();
  const proof = sum(chain, number, 'not proven', () =>
    proveBlock(chain, decodeBlock(block), decodeReceipts(receipts), feed),
  );
  if ('value' in proof) {
    return { value: { ...proof.value, ...(statesPrice(receipts) && { isPriceStated: true }) } };
  }
  if (policy === 'proven') return proof;
  // With the policy `checked`, the operator accepts nodes that do not give all that is hashed, but not rules that are unknown here.
  return policy === 'stated' || proof.fault === 'not proven' ? check() : proof;
}

/** Returns whether the receipts of a proven block state a price that follows from a rule, which the proof has then compared. */
const statesPrice = (receipts: unknown): boolean =>
  (receipts as readonly RpcReceipt[]).some(({ type, blobGasPrice, l1Fee }) =>
    Number(type) === BLOB ? blobGasPrice != null : Number(type) !== OP_DEPOSIT && l1Fee != null,
  );

/**
 * Proves a block from the bytes that its hashes cover, and sums it.
 * @param read returns the bytes, and may throw ProofError
 */
export const validateRawBlock = (
  { chain, feed }: Pick<AnchoredNetwork, 'chain' | 'feed'>,
  number: number,
  read: () => BlockBytes,
  gives?: string,
): Attempt<ValidBlock> => sum(chain, number, 'not proven', () => proveRawBlock(chain, read(), feed), gives);

/**
 * Sums a block that is proven or checked.
 * @param fault of the endpoint when the block is refused
 * @param run may throw ProofError when it decodes the block
 * @param gives names the giver in a refusal
 */
function sum(
  { name }: Chain,
  number: number,
  fault: FaultKind,
  run: () => Proof,
  gives = 'the node answered with',
): Attempt<ValidBlock> {
  try {
    const proof = run();
    if ('refused' in proof) throw proof.refused;
    const { unproven, transactions, prices, ...header } = proof.proven;
    if (header.number !== number) {
      return { refused: `${name} block ${number}: ${gives} block ${header.number}` };
    }
    return { value: { ...header, ...proof.sums, isProven: unproven === undefined } };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    const refused = `${name} block ${number}: ${error.field}: ${error.message}`;
    if (error.isIncomplete) return { refused, fault: 'unavailable' };
    return { refused, fault: error.isRuleChange ? 'unknown rule' : fault };
  }
}
