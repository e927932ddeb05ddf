import type { DayResult } from '#cli/backfill/ingest-day.ts';
import { type BlocksRead, type DaysToRead, readDays } from '#cli/backfill/read-days.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { blockAt, dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { putDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/*
 * Proves in which order days are read, when no more are started, and how their ends are reported. The reads are scripted: the tests of
 * `ingest` and local.slow.test.ts read days from nodes and from files.
 */

const table = useMemoryTable();
const dates = [DAY, addDays(DAY, 1), addDays(DAY, 2)] as const;
const [first, second, third] = dates;
const served = () => servedChain('ETHEREUM', table(), { from: DAY });
const wait = (day: string) =>
  putWaitingDay(served().store, {
    progress: startDayProgress(day, blockAt(9)),
    next: blockAt(10),
    since: Date.now(),
  });
const failed = (reason: string, isUnreachable = false): DayResult => ({
  state: 'failed',
  reason,
  isUnreachable,
});

interface Given extends Partial<Omit<DaysToRead, 'read'>> {
  readonly json?: boolean;
}

/** Reads days whose ends are scripted, one at once. */
async function read(
  ends: (day: string, onBlocks: (read: BlocksRead) => void) => DayResult | Promise<DayResult>,
  given: Given = {},
) {
  const started: string[] = [];
  const [out, err] = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation(() => true),
  ) as [jest.SpyInstance, jest.SpyInstance];
  const textOf = ({ mock: { calls } }: jest.SpyInstance) => calls.map(([text]) => text).join('');
  let [stdout, stderr] = ['', ''];
  try {
    await readDays(
      { json: given.json ?? true },
      {
        ...{ served: served(), dates, atOnce: 1, finalBefore: 0, upstreams: [], again: 'npx again' },
        ...given,
        read: async (day, _, onBlocks) => {
          started.push(day);
          return await ends(day, onBlocks);
        },
      },
    );
  } finally {
    [stdout, stderr] = [textOf(out), textOf(err)];
    out.mockRestore();
    err.mockRestore();
  }
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { started, stdout, stderr, code, result: given.json === false ? undefined : JSON.parse(stdout) };
}

test('reads the newest day first, and reports them in order', async () => {
  const { started, result, code } = await read((day, onBlocks) => {
    onBlocks({ blocks: 2, timestamp: startOfDay(day) });
    onBlocks({ blocks: 1, bytes: 9, timestamp: startOfDay(day) });
    return { state: 'final' };
  });
  expect(started).toEqual(dates.toReversed());
  expect(result).toMatchObject({ days: dates, waiting: [], failed: [], left: [], blocks: 9 });
  expect(code).toBe(0);
});

test('starts no more days once the endpoints are unreachable, and says how to continue', async () => {
  const { started, result, stderr, code } = await read(() => failed('no answer', true));
  expect(started).toEqual([third]);
  expect(result).toMatchObject({ failed: [{ date: third, reason: 'no answer' }], left: [first, second] });
  expect(stderr).toContain(
    '2 days not started, because the endpoints or the table are unreachable. To continue:\n  npx again',
  );
  expect(code).toBe(1);
});

test('continues after a day that fails for a reason of its own', async () => {
  const { started, result, stderr, code } = await read((day) =>
    day === third ? failed('a gap') : { state: 'final' },
  );
  expect(started).toHaveLength(3);
  expect(result).toMatchObject({
    days: [first, second],
    failed: [{ date: third, reason: 'a gap' }],
    left: [],
  });
  expect([stderr.includes('To continue'), code]).toEqual([false, 1]);
});

test('a day that failed here and is final by now became final through another run', async () => {
  await putDay(served().store, dayFigures(second), provenance());
  const { result, code } = await read((day) => (day === second ? failed('overtaken') : { state: 'final' }));
  expect(result).toMatchObject({ days: dates, failed: [] });
  expect(code).toBe(0);
});

test('a day that waits no more was contradicted', async () => {
  await wait(first);
  const { result, code } = await read(() => ({ state: 'waiting' }), { dates: [first, second] });
  expect(result.waiting).toEqual([{ date: first, reason: expect.stringMatching(/no endpoint/i) }]);
  expect(result.failed).toEqual([
    {
      date: second,
      reason: 'its last block was contradicted, so its blocks were discarded; run the command again',
    },
  ]);
  expect(code).toBe(1);
});

test('groups days whose reasons differ only by the day', async () => {
  const reasons = (day: string) => (day === third ? failed('another reason') : failed(`${day} has a gap`));
  const { stdout } = await read(reasons, { json: false, finalBefore: 1 });
  expect(stdout).toContain('ETHEREUM: no day became final (0 blocks in ');
  expect(stdout).toContain('\n1 day of the range was already final.\n');
  expect(stdout).toContain(`\n${first} to ${second} failed: ${first} has a gap\n`);
  expect(stdout).toContain(`\n${third} failed: another reason\n`);
});

test('says that nothing is to do when no day is left', async () => {
  const { stdout, code } = await read(() => ({ state: 'final' }), { json: false, dates: [], finalBefore: 2 });
  expect([stdout, code]).toEqual(['ETHEREUM: nothing to do. 2 days of the range were already final.\n', 0]);
});
