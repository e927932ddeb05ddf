import type { RunOutcome } from './day-run.ts';

interface OutcomeRule {
  /** `the day` if others may still be read after it. */
  readonly ends: 'the day' | 'the run';
  /** True if the same run tries the day again, from other endpoints. */
  readonly isTriedAgain: boolean;
  /** The word in the report of a run. */
  readonly reportedAs: ReportedOutcome;
}

export type ReportedOutcome =
  | 'up to date'
  | 'overtaken by another run'
  | 'out of time'
  | 'failed'
  | 'rule changed'
  | 'conflict';

const ENDS_DAY = { ends: 'the day', isTriedAgain: false } as const;
const ENDS_RUN = { ends: 'the run', isTriedAgain: false } as const;

/** The meaning of each outcome of a day for the run. */
const outcomes: Readonly<Record<RunOutcome['kind'], OutcomeRule>> = {
  'up to date': { ...ENDS_DAY, reportedAs: 'up to date' },
  // Another run works on the same days.
  overtaken: { ...ENDS_RUN, reportedAs: 'overtaken by another run' },
  'out of time': { ...ENDS_RUN, reportedAs: 'out of time' },
  failed: { ...ENDS_DAY, reportedAs: 'failed' },
  // Days before an unknown fork follow known rules.
  'rule changed': { ...ENDS_DAY, reportedAs: 'rule changed' },
  'no endpoint': { ...ENDS_DAY, reportedAs: 'failed' },
  disputed: { ...ENDS_DAY, reportedAs: 'failed' },
  orphaned: { ends: 'the day', isTriedAgain: true, reportedAs: 'failed' },
  // An operator must decide first.
  conflict: { ...ENDS_RUN, reportedAs: 'conflict' },
};

export const endsRun = ({ kind }: RunOutcome): boolean => outcomes[kind].ends === 'the run';

export const isTriedAgain = ({ kind }: RunOutcome): boolean => outcomes[kind].isTriedAgain;

/** Returns whether a day cannot be read because its blocks follow a rule that is not known here. */
export const isRefusal = (
  end: RunOutcome,
): end is Extract<RunOutcome, { kind: 'rule changed' | 'no endpoint' }> =>
  end.kind === 'rule changed' || (end.kind === 'no endpoint' && (end.isRefused || end.isRuleChange) === true);

/** Returns the word for an outcome in the report of a run. */
export const reportedOutcome = (end: RunOutcome): ReportedOutcome =>
  end.kind === 'no endpoint' && end.isRuleChange ? 'rule changed' : outcomes[end.kind].reportedAs;

const FAILURES: readonly ReportedOutcome[] = ['failed', 'rule changed', 'conflict'];

/** Returns whether a run could not continue; its report then has a reason. */
export const isFailed = ({ outcome }: { readonly outcome: ReportedOutcome }): boolean =>
  FAILURES.includes(outcome);
