import type { RunOutcome } from '#core/days/day-run.ts';
import { endsRun, isFailed, isRefusal, isTriedAgain, reportedOutcome } from '#core/days/outcomes.ts';
import { noEndpoint } from '#core/rpc/failover.ts';

/* Proves what each outcome of a day means for the run: whether it ends it, is tried again, or fails it. */

const reason = 'why';
const missing = noEndpoint('block 7', []);
const outcomes = {
  'up to date': { kind: 'up to date' },
  overtaken: { kind: 'overtaken' },
  'out of time': { kind: 'out of time' },
  failed: { kind: 'failed', reason },
  'rule changed': { kind: 'rule changed', reason },
  'no endpoint': missing,
  'refused by every endpoint': { ...missing, isRefused: true },
  'no endpoint, and a rule changed': { ...missing, isRuleChange: true },
  disputed: { kind: 'disputed', reason },
  orphaned: { kind: 'orphaned', reason },
  conflict: { kind: 'conflict', day: '2026-11-18', reason },
} as const satisfies Record<string, RunOutcome>;

const named = (isOne: (outcome: RunOutcome) => boolean) =>
  Object.entries(outcomes).flatMap(([name, outcome]) => (isOne(outcome) ? [name] : []));

test('a run ends when another run or a person must decide, or its time is over, and else reads other days', () => {
  expect(named(endsRun)).toEqual(['overtaken', 'out of time', 'conflict']);
});

test('only a day whose blocks were discarded is tried again in the same run', () => {
  expect(named(isTriedAgain)).toEqual(['orphaned']);
});

test('a day is refused if its blocks follow an unknown rule', () => {
  expect(named(isRefusal)).toEqual([
    ...['rule changed', 'refused by every endpoint', 'no endpoint, and a rule changed'],
  ]);
});

test('every outcome fails a run but those after which nothing is wrong', () => {
  expect(named((outcome) => !isFailed({ outcome: reportedOutcome(outcome) }))).toEqual([
    ...['up to date', 'overtaken', 'out of time'],
  ]);
  expect(named((outcome) => reportedOutcome(outcome) === 'rule changed')).toEqual([
    ...['rule changed', 'no endpoint, and a rule changed'],
  ]);
});
