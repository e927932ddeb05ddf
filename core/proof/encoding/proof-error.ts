/**
 * A block is not valid. Proofs and checks catch this error and return it as their result. The message names the value that the node gave,
 * and the one that follows from the hashes.
 */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  /** Such as `transactionsRoot`, `receipts[3].gasUsed` or `transactions[0].maxFeePerGas`. */
  readonly field: string;
  /** True if the block may be right, but follows a rule that this version does not know. */
  readonly isRuleChange: boolean;
  /** True if what the node gave is right, and the rest is lost to it. */
  readonly isIncomplete: boolean;

  constructor(field: string, problem: string, { isRuleChange = false, isIncomplete = false } = {}) {
    super(problem);
    this.field = field;
    this.isRuleChange = isRuleChange;
    this.isIncomplete = isIncomplete;
  }
}

/** Returns the error for a block that may be right, but follows a rule that this version does not know. */
export const unknownRule = (field: string, problem: string): ProofError =>
  new ProofError(field, problem, { isRuleChange: true });

/** Returns the error for a block that itself shows that the rules of its chain have changed. */
export const changedRule = (field: string, problem: string): ProofError =>
  unknownRule(field, `${problem}: this chain has changed its rules. Update Chain Insights.`);

/** Returns a value. @throws ProofError naming the field if the node left it out */
export function present<T>(field: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  throw new ProofError(field, 'a figure depends on it, and the node left it out');
}

/** Runs `run`. If it throws a ProofError, prefixes the field with the element of `list`. */
export function inElement<T>(list: string, index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new ProofError(`${list}[${index}]${error.field && `.${error.field}`}`, error.message, error);
  }
}
