import {
  type ArbosHeader,
  arbosVersionOf,
  hasMultiGasConstraints,
  MULTI_GAS_ARBOS_VERSION,
  MULTI_GAS_CONSTRAINTS_CALL,
  MULTI_GAS_PROBLEM,
} from '../proof/tripwires.ts';
import { ProofError } from '../proof/types.ts';
import { EndpointError, UNAVAILABLE_KINDS } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { callContract, getRawHeader, validateHeader } from '../rpc/methods.ts';
import { type Attempt, type NoEndpoint, requestWithRetry } from '../rpc/retry.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import { type Source, upstreamsFor } from './endpoints.ts';
import type { RuleChanged } from './outcomes.ts';

/**
 * Returns the rule change that makes a complete day's fees wrong although every block is proven: Arbitrum's multi-gas pricing
 * refunds senders after execution, which no receipt shows. The state after the day's last block tells, so constraints that were set
 * and cleared within the day are not seen.
 */
export async function ruleChange(
  source: Source,
  { last }: Progress,
): Promise<RuleChanged | NoEndpoint | undefined> {
  if (source.chain.rules.family !== 'arbitrum' || !last) return undefined;
  const { number } = last;
  const what = `the gas pricing of ${source.chain.name} block ${number}`;
  const isRefunding = await requestWithRetry(source.context, upstreamsFor(source, number), what, (rpc) =>
    refundsGas(source, rpc, last),
  );
  if (isRefunding.kind === 'no endpoint') return isRefunding;
  return isRefunding.value ? { kind: 'rule changed', reason: MULTI_GAS_PROBLEM } : undefined;
}

async function refundsGas(
  source: Source,
  rpc: Rpc,
  { number, hash }: NonNullable<Progress['last']>,
): Promise<Attempt<boolean>> {
  const answer = await getRawHeader(rpc, number);
  const header = await validateHeader(source, number, answer);
  if ('refused' in header) return header;
  if (header.value.hash !== hash) {
    return {
      refused: `${source.chain.name} block ${number}: ${header.value.hash} is not ${hash}, which was counted`,
    };
  }
  // Older versions do not have the method.
  if (arbosVersionOf(answer as ArbosHeader) < MULTI_GAS_ARBOS_VERSION) return { value: false };
  const constraints = await multiGasConstraints(rpc, number);
  try {
    return { value: hasMultiGasConstraints(constraints) };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${error.field}: ${error.message}`, fault: 'invalid response' };
  }
}

/**
 * Reads the constraints after a block. For a node that has pruned the state of an old block, reads those of its finalized one:
 * constraints that were set and cleared again in between are then not seen either.
 */
async function multiGasConstraints(rpc: Rpc, number: number): Promise<string> {
  try {
    return await callContract(rpc, MULTI_GAS_CONSTRAINTS_CALL, number);
  } catch (error) {
    if (!(error instanceof EndpointError) || !UNAVAILABLE_KINDS.has(error.kind)) throw error;
    return callContract(rpc, MULTI_GAS_CONSTRAINTS_CALL, 'finalized');
  }
}
