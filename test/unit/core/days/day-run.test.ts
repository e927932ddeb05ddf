import { startRunStats } from '#core/days/day-run.ts';

/* Proves what a run remembers of the faults of its hosts. report.test.ts proves what it reports. */

test('counts faults by host and kind, and keeps the last reason of each host', () => {
  const stats = startRunStats('BSC', 0, false);
  stats.countFault('a.example', 'timeout', 'slow');
  stats.countFault('a.example', 'timeout', 'slower');
  stats.countFault('a.example', 'unreachable', 'gone');
  stats.countFault('b.example', 'timeout', 'slow');
  expect(stats.faults).toEqual({ 'a.example': { timeout: 2, unreachable: 1 }, 'b.example': { timeout: 1 } });
  expect([...stats.lastFaults]).toEqual([
    ['a.example', 'gone'],
    ['b.example', 'slow'],
  ]);
  expect(stats.notProven.size).toBe(0);
});

test.each(['not proven', 'unknown rule'] as const)('keeps the first reason of a fault that is %s', (kind) => {
  const stats = startRunStats('BSC', 0, false);
  for (const reason of ['first', 'second']) stats.countFault('a.example', kind, reason);
  stats.countFault('b.example', 'timeout', 'slow');
  expect([...stats.notProven]).toEqual([['a.example', 'first']]);
  expect(stats.lastFaults.get('a.example')).toBe('second');
});
