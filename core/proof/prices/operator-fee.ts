import type { OpStackRules } from '../../chains/rule-types.ts';

/** The operator fee's parameters, from the L1 attributes of the block. */
export interface OperatorFeeParameters {
  readonly operatorFeeScalar: bigint;
  readonly operatorFeeConstant: bigint;
}

/**
 * Returns the operator fee of one transaction that is not a deposit, in wei; 0 before Isthmus.
 * Isthmus: https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee
 * Jovian: https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee
 */
export function operatorFee(
  rules: OpStackRules,
  timestamp: number,
  gasUsed: bigint,
  { operatorFeeScalar, operatorFeeConstant }: OperatorFeeParameters,
): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  return timestamp < rules.jovianTime
    ? (gasUsed * operatorFeeScalar) / 1_000_000n + operatorFeeConstant
    : gasUsed * operatorFeeScalar * 100n + operatorFeeConstant;
}
