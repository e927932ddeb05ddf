import { openReport, StoppedError } from './report.ts';

function record() {
  const lines: string[] = [];
  return { lines, report: openReport((line) => lines.push(line)) };
}

const passes = async () => {};
const fails = async () => {
  throw new Error('expected 200\nreceived 500');
};

test('exits with 0 when every check passes or is skipped by name', async () => {
  const { lines, report } = record();
  await report.check('answers', passes);
  report.skip('schedules', 'the emulator has none');
  await report.check('error bodies', fails, 'the emulator sends its own');
  expect(report.end()).toBe(0);
  expect(lines).toEqual([
    '  ✓ answers',
    '  – schedules: skipped, the emulator has none',
    '  – error bodies: skipped, the emulator sends its own',
    '\n1 passed, 2 skipped, 0 failed',
  ]);
});

test('continues after a failed check, prints its message, and exits with 1', async () => {
  const { lines, report } = record();
  await report.check('answers', fails);
  await report.check('answers again', passes);
  expect(report.end()).toBe(1);
  expect(lines.slice(0, 2)).toEqual([
    '  ✗ answers\n      expected 200\n      received 500',
    '  ✓ answers again',
  ]);
});

test('stops at a failed step, which the rest depends on', async () => {
  const { report } = record();
  await expect(report.step('deploys', fails)).rejects.toThrow(StoppedError);
  expect(report.end()).toBe(1);
});

test('returns the result of a step', async () => {
  const { report } = record();
  expect(await report.step('counts', async () => 4)).toBe(4);
});
