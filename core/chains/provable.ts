import type { Rules } from './rule-types.ts';

/** A limit to what can be proven from a block's hash. */
export interface Unproven {
  /** `everything` if the hash is not that of the header, `l1Fee` if only the L1 fees come from the receipts. */
  readonly what: 'everything' | 'l1Fee';
  /** Completes "It cannot be proven: …". */
  readonly reason: string;
}

/** Returns the first block of which all figures can be proven. */
export const firstProvable = (rules: Rules): number =>
  rules.family === 'arbitrum' ? rules.nitroBlock : rules.family === 'op-stack' ? rules.bedrockBlock : 0;

/** Returns the part of a block that cannot be proven from its hash, or undefined where all figures can. */
export function unprovenOf(rules: Rules, number: number): Unproven | undefined {
  const first = firstProvable(rules);
  if (number >= first) return undefined;
  return rules.family === 'arbitrum'
    ? { what: 'everything', reason: `before Nitro (block ${first}), blocks do not hash to their hash` }
    : { what: 'l1Fee', reason: `before Bedrock (block ${first}), the L1 fee depends on the state of L1` };
}

/** Returns whether nothing of a block can be proven, so that it is only checked. */
export const isOnlyChecked = (rules: Rules, number: number): boolean =>
  unprovenOf(rules, number)?.what === 'everything';

/**
 * Returns whether the RLP of `debug_getRawBlock` and `debug_getRawReceipts` is enough to compute the figures of a block.
 * JSON is needed if a figure is only in the receipts' JSON, and for Polygon's state-sync pseudo-transaction, which is in no RLP.
 * Some nodes have no receipts of genesis.
 */
export const isRawProvable = (rules: Rules, number: number): boolean =>
  number > 0 &&
  number >= firstProvable(rules) &&
  !(rules.family === 'polygon' && number < rules.stateSyncTypeFrom);
