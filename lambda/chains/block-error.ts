/** The block, or the transaction by its hash, that an error is about. */
export interface Place {
  readonly chain: string;
  readonly block: number;
  readonly transaction?: string;
}

/** A block that an endpoint returned and that is not valid. The message names chain, block and transaction. */
export class BlockError extends Error {
  override readonly name = 'BlockError';

  constructor({ chain, block, transaction }: Place, problem: string) {
    super(`${chain} block ${block}${transaction ? `, transaction ${transaction}` : ''}: ${problem}`);
  }
}

/**
 * Returns a value that a rule needs.
 * @throws BlockError naming the field when the node omitted it; a missing value never counts as 0
 */
export function required<T>(place: Place, field: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  throw new BlockError(place, `the node omitted ${field}`);
}
