/** The place in a chain that an error is about; `transaction` is a hash. */
export interface Place {
  readonly chain: string;
  readonly block: number;
  readonly transaction?: string;
}

/** A block that may not be counted as it was answered. The message names the chain, the block and, if it is one, the transaction. */
export class BlockError extends Error {
  override readonly name = 'BlockError';

  constructor({ chain, block, transaction }: Place, problem: string) {
    super(`${chain} block ${block}${transaction ? `, transaction ${transaction}` : ''}: ${problem}`);
  }
}

/**
 * A value that a rule needs and that a node may have left out.
 * @throws BlockError naming the field: a missing value is an error and never 0
 */
export function required<T>(place: Place, field: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  throw new BlockError(place, `the node left out ${field}`);
}
