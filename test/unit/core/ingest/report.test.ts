import { type RunOutcome, startRunStats } from '#core/days/day-run.ts';
import { isFailed } from '#core/days/outcomes.ts';
import { reportOf } from '#core/ingest/report.ts';
import { header } from '#test/support/generators/blocks/builders.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const SECONDS = START / 1_000;

const UP_TO_DATE: RunOutcome = { kind: 'up to date' };

const headAt = (timestamp: number) => header({ number: 100, timestamp });
const start = (isOneDay = false) => startRunStats('BSC', START, isOneDay);

test('reports the speed, the lag and the age of the head', () => {
  const stats = start();
  stats.days.push('2026-11-18', '2026-11-19');
  stats.restated.push('2026-11-10');
  stats.blocks = 1_001;
  stats.head = headAt(SECONDS - 60);
  stats.reached = SECONDS - 100;
  expect(reportOf(stats, { kind: 'out of time' }, START + 4_500)).toEqual({
    chain: 'BSC',
    outcome: 'out of time',
    days: ['2026-11-18', '2026-11-19'],
    restated: ['2026-11-10'],
    blocks: 1_001,
    seconds: 4.5,
    blocksPerSecond: 222,
    head: 100,
    lagSeconds: 40,
    headAgeSeconds: 65,
    faults: {},
  });
});

test('the lag is never negative, though a day may begin after the head', () => {
  const stats = start();
  stats.head = headAt(SECONDS);
  stats.reached = SECONDS + 10;
  expect(reportOf(stats, UP_TO_DATE, START)).toMatchObject({ lagSeconds: 0 });
});

test.each<[RunOutcome, string]>([
  [{ kind: 'up to date' }, 'up to date'],
  [{ kind: 'overtaken' }, 'overtaken by another run'],
  [{ kind: 'out of time' }, 'out of time'],
])('reports %p as %s, without a reason', (end, outcome) => {
  const report = reportOf(start(), end, START);
  expect(report.outcome).toBe(outcome);
  expect(report).not.toHaveProperty('reason');
  expect(isFailed(report)).toBe(false);
});

test.each<[RunOutcome, string]>([
  [{ kind: 'failed', reason: 'why' }, 'failed'],
  [{ kind: 'no endpoint', reason: 'why', reasons: [], isUnavailable: false }, 'failed'],
  [
    { kind: 'no endpoint', reason: 'why', reasons: [], isUnavailable: false, isRuleChange: true },
    'rule changed',
  ],
  [{ kind: 'disputed', reason: 'why' }, 'failed'],
  [{ kind: 'orphaned', reason: 'why' }, 'failed'],
  [{ kind: 'rule changed', reason: 'why' }, 'rule changed'],
  [{ kind: 'conflict', day: '2026-11-18', reason: 'why' }, 'conflict'],
])('reports %p as %s, with its reason', (end, outcome) => {
  const report = reportOf(start(), end, START);
  expect(report).toMatchObject({ outcome, reason: 'why' });
  expect(isFailed(report)).toBe(true);
});

test.each([
  [undefined, { final: false }],
  ['final', { final: true }],
  ['waiting', { final: false, waiting: true }],
] as const)('reports a run for one day that is %s as %p', (state, expected) => {
  const { final, waiting } = reportOf(start(true), { ...UP_TO_DATE, ...(state && { state }) }, START);
  expect({ final, waiting }).toEqual({ waiting: undefined, ...expected });
});

test('names the first field of each endpoint that could not be proven', () => {
  const stats = start();
  stats.countFault('a.example', 'not proven', 'a.example: BSC block 5: gasUsed: why');
  stats.countFault('b.example', 'timeout', 'b.example: late');
  stats.countFault('a.example', 'not proven', 'a.example: BSC block 6: gasUsed: why');
  stats.countFault('c.example', 'not proven', 'c.example: BSC block 5: mixHash: why');
  expect(reportOf(stats, UP_TO_DATE, START)).toMatchObject({
    faults: {
      'a.example': { 'not proven': 2 },
      'b.example': { timeout: 1 },
      'c.example': { 'not proven': 1 },
    },
    notProven: ['a.example: BSC block 5: gasUsed: why', 'c.example: BSC block 5: mixHash: why'],
  });
});
