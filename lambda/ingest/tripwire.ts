import { decodeHeader } from '../proof/decode-block.ts';
import {
  arbosVersionOf,
  hasMultiGasConstraints,
  MULTI_GAS_ARBOS_VERSION,
  MULTI_GAS_CONSTRAINTS_CALL,
  MULTI_GAS_PROBLEM,
} from '../proof/tripwires.ts';
import { ProofError } from '../proof/types.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { callContract, getRawHeader } from '../rpc/methods.ts';
import { type Attempt, type NoEndpoint, requestWithRetry } from '../rpc/retry.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import { type Source, upstreamsFor } from './endpoints.ts';
import type { RuleChanged } from './outcomes.ts';

/**
 * Returns the rule change that makes a complete day's fees wrong although every block is proven: Arbitrum's multi-gas pricing refunds
 * senders after execution, which no receipt shows. It is asked for at the end of each day.
 */
export async function ruleChange(
  source: Source,
  { last }: Progress,
): Promise<RuleChanged | NoEndpoint | undefined> {
  if (source.chain.rules.family !== 'arbitrum' || !last) return undefined;
  const { number } = last;
  const what = `the gas pricing of ${source.chain.name} block ${number}`;
  const isRefunding = await requestWithRetry(source.context, upstreamsFor(source, number), what, (rpc) =>
    refundsGas(rpc, number),
  );
  if (isRefunding.kind === 'no endpoint') return isRefunding;
  return isRefunding.value ? { kind: 'rule changed', reason: MULTI_GAS_PROBLEM } : undefined;
}

async function refundsGas(rpc: Rpc, number: number): Promise<Attempt<boolean>> {
  try {
    const { mixHash } = decodeHeader(await getRawHeader(rpc, number));
    // Older versions do not have the method.
    if (arbosVersionOf(mixHash) < MULTI_GAS_ARBOS_VERSION) return { value: false };
    return { value: hasMultiGasConstraints(await callContract(rpc, MULTI_GAS_CONSTRAINTS_CALL, number)) };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${error.field}: ${error.message}`, fault: 'invalid response' };
  }
}
