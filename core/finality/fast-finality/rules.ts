import type { FastFinalityRules } from '../../chains/finality-rules.ts';
import type { RpcHeader } from '../../proof/json/rpc-types.ts';
import type { ExtraDataForm } from './extra-data.ts';

type Placed = Pick<RpcHeader, 'number' | 'timestamp'>;

/** Returns the length of an epoch in blocks, by the rules at a header's time. */
export const epochLengthOf = (
  { epochs }: FastFinalityRules,
  { timestamp }: Pick<Placed, 'timestamp'>,
): number => epochs.findLast(({ time }) => time <= Number(timestamp))?.length ?? 1;

export const formOf = (rules: FastFinalityRules, header: Placed): ExtraDataForm => ({
  isEpochBlock: Number(header.number) % epochLengthOf(rules, header) === 0,
  hasTurnLength: Number(header.timestamp) >= rules.bohrTime,
});

/**
 * Returns the number of the epoch block after a block.
 * @param timestamp of a block near it, as hex
 */
export function epochBlockAfter(rules: FastFinalityRules, number: number, timestamp: string): number {
  const length = epochLengthOf(rules, { timestamp });
  return (Math.floor(number / length) + 1) * length;
}
