import { describeScheduled, urgentForks } from '#core/chains/scheduled-fork.ts';

const NOW = Date.parse('2026-11-28T00:00:00Z');
const fork = { at: '2026-11-30T00:00:00.000Z', host: 'a.example', followed: false };

test('is urgent from three days before on, unless it is followed or past', () => {
  expect(urgentForks([fork], NOW)).toEqual([fork]);
  expect(urgentForks([{ ...fork, followed: true }], NOW)).toEqual([]);
  expect(urgentForks([fork], NOW - 86_400_000)).toEqual([fork]);
  expect(urgentForks([fork], NOW - 86_400_001)).toEqual([]);
  expect(urgentForks([fork], Date.parse(fork.at))).toEqual([]);
});

test('names the host that says so', () => {
  expect(describeScheduled({ ...fork, name: 'gloas' })).toBe(
    'a.example says that a fork (gloas) is scheduled for 2026-11-30 00:00 UTC. This version does not know it, and days after it may wait for an update.',
  );
});
