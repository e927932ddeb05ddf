import { startRunStats } from '../../../lambda/ingest/report.ts';
import { hashOf } from '../../support/builders.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const SECONDS = START / 1_000;

const headAt = (timestamp: number) => ({ number: 100, hash: hashOf(100), timestamp, host: 'a.example' });

test('reports a run without blocks', () => {
  expect(startRunStats('BSC', START).report('up to date', START)).toEqual({
    chain: 'BSC',
    outcome: 'up to date',
    days: [],
    restated: [],
    blocks: 0,
    seconds: 0,
    blocksPerSecond: 0,
    faults: {},
  });
});

test('reports the speed, the lag and the age of the head', () => {
  const stats = startRunStats('BSC', START);
  stats.days.push('2026-11-18', '2026-11-19');
  stats.restated.push('2026-11-10');
  stats.blocks = 1_001;
  stats.head = headAt(SECONDS - 60);
  stats.reached = SECONDS - 100;
  expect(stats.report('out of time', START + 4_500)).toEqual({
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
  const stats = startRunStats('BSC', START);
  stats.head = headAt(SECONDS);
  stats.reached = SECONDS + 10;
  expect(stats.report('up to date', START)).toMatchObject({ lagSeconds: 0 });
});

test('a run without blocks has no lag, and one without a head has no head age either', () => {
  const stats = startRunStats('BSC', START);
  stats.reached = SECONDS;
  const without = stats.report('failed', START, 'why');
  for (const key of ['head', 'lagSeconds', 'headAgeSeconds']) expect(without).not.toHaveProperty(key);
  const unread = Object.assign(startRunStats('BSC', START), { head: headAt(SECONDS) }).report(
    'up to date',
    START,
  );
  expect(unread).not.toHaveProperty('lagSeconds');
  expect(unread).toMatchObject({ head: 100, headAgeSeconds: 0 });
});

test('reports the reason of a failure', () => {
  expect(startRunStats('BSC', START).report('failed', START, 'no endpoint')).toMatchObject({
    outcome: 'failed',
    reason: 'no endpoint',
  });
});

test('counts faults by host and kind', () => {
  const stats = startRunStats('BSC', START);
  stats.countFault('a.example', 'timeout');
  stats.countFault('b.example', 'rate limit');
  stats.countFault('a.example', 'timeout');
  stats.countFault('a.example', 'invalid block');
  expect(stats.report('up to date', START).faults).toEqual({
    'a.example': { timeout: 2, 'invalid block': 1 },
    'b.example': { 'rate limit': 1 },
  });
});
