import { type RunOutcome, startRunStats } from '#core/days/day-run.ts';
import { isFailed } from '#core/days/outcomes.ts';
import { endOfTime, reportOf } from '#core/ingest/report.ts';
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

test.each([
  [0, 0],
  [500, 4],
  [1_000, 2],
])('a run of %i ms that counts two blocks counts %i a second', (ms, speed) => {
  const stats = start();
  stats.blocks = 2;
  expect(reportOf(stats, UP_TO_DATE, START + ms).blocksPerSecond).toBe(speed);
});

test('says what else an operator should know, and only that', () => {
  const stats = start();
  stats.unpriced.push('2026-11-18: why');
  stats.suspects = new Set(['a.example']);
  stats.hostsBehind = 'b.example: block 7';
  stats.unsentEvents = 'why';
  stats.notProven.set('c.example', 'c.example: why');
  const known = {
    unpriced: ['2026-11-18: why'],
    suspects: ['a.example'],
    hostsBehind: 'b.example: block 7',
    unsentEvents: 'why',
    notProven: ['c.example: why'],
  };
  expect(reportOf(stats, UP_TO_DATE, START)).toMatchObject(known);
  for (const field of Object.keys(known))
    expect(reportOf(start(), UP_TO_DATE, START)).not.toHaveProperty(field);
});

test('tells damaged files from nodes that do not answer, and a dispute from both', () => {
  const missing = { kind: 'no endpoint', reason: 'why', reasons: [], isUnavailable: false } as const;
  const told = ([{ ...missing, isDamaged: true }, missing, { kind: 'disputed', reason: 'why' }] as const).map(
    (end) => {
      const { damaged, disputed } = reportOf(start(), end, START);
      return [damaged, disputed];
    },
  );
  expect(told).toEqual([
    [true, undefined],
    [undefined, undefined],
    [undefined, true],
  ]);
});

describe('endOfTime', () => {
  test.each([
    ['counted a block', { blocks: 1 }],
    ['published a day', { days: ['2026-11-18'] }],
    ['restated a day', { restated: ['2026-11-18'] }],
  ])('does not blame a run that %s', (_, done) => {
    expect(endOfTime({ ...start(), ...done })).toEqual({ kind: 'out of time' });
  });

  test('fails a run that read nothing, with the last fault of each host', () => {
    const stats = start();
    const reason = (faults: string) =>
      `BSC: the run read no block before its time was over. ${faults}. Check these endpoints, or add another.`;
    expect(endOfTime(stats)).toEqual({ kind: 'failed', reason: reason('No endpoint answered in time') });
    stats.countFault('a.example', 'timeout', 'a.example: early');
    stats.countFault('a.example', 'timeout', 'a.example: late');
    stats.countFault('b.example', 'timeout', 'b.example: late');
    expect(endOfTime(stats)).toEqual({ kind: 'failed', reason: reason('a.example: late. b.example: late') });
  });
});
