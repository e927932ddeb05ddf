import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeDay } from '#cli/day-files/ndjson.ts';
import { addDays } from '#core/figures/calendar.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { putStoredDay, readStoredDays } from '#core/store/days/stored-days.ts';
import { createFolder } from '#test/support/folders.ts';
import {
  blockAt,
  emptyAfter,
  restatedDay,
  storedDay,
  storedDays,
} from '#test/support/generators/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { table, store, cli } = useAnnouncedTable('2025-11-18', 'BSC');
const run = (...parameters: string[]) => cli(parameters, { BSC: [] });

let file: string;
beforeEach(() => {
  file = join(createFolder(), 'days.ndjson');
});

const write = (days: readonly StoredDay[], ...more: string[]) =>
  writeFileSync(file, [...days.map((day) => encodeDay({ day })), ...more].join(''));
/** Stores the day after these days, which continues them, so that no host is asked. */
const putDayAfter = (days: readonly StoredDay[]) => {
  const { date = '', last_block = blockAt(0) } = days.at(-1) ?? {};
  const day = storedDay({ ...emptyAfter(last_block.number), date: addDays(date, 1), last_block });
  return putStoredDay(table(), { ...day, parent_hash: last_block.hash }, 0);
};
/** Links each day to the one before it. */
const linked = (days: readonly StoredDay[]): StoredDay[] =>
  days.map((day, index) => ({ ...day, parent_hash: (days[index - 1]?.last_block ?? blockAt(0)).hash }));
const stored = () => Array.fromAsync(readStoredDays(store(), '0000-01-01', '9999-12-31'));

test('restores exported days that a final day follows, and their coverage', async () => {
  const empty = storedDay({ ...emptyAfter(12), date: '2025-11-21' });
  const days = linked([restatedDay(), ...storedDays(3).slice(1), empty]);
  write(days);
  await putDayAfter(days);
  const { code, stdout } = await run('import', file);
  expect(stdout).toMatch(/\nBSC +2025-11-18 +2025-11-21 +4 +0 +0\n/);
  expect(code).toBe(0);
  expect((await stored()).slice(0, -1)).toEqual(days);
  expect(await getCoverage(store())).toMatchObject({ from: '2025-11-18', through: '2025-11-22' });
});

test('writes nothing from a file with invalid rows, and lists the first twenty problems', async () => {
  const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
  await putStoredDay(table(), { ...two, parent_hash: one.last_block.hash }, 0);
  write(
    [one, { ...two, blob_fees: 8n }, { ...three, block_count: 5, proven_blocks: 5 }],
    ...Array<string>(20).fill('{}\n'),
  );
  const { code, stdout, stderr } = await run('import', file);
  const [title, ...lines] = stderr.trimEnd().split('\n');
  expect(title).toBe(`${file}:`);
  expect(lines.slice(0, 4)).toEqual([
    'line 2: BSC 2025-11-19 is final with other figures (blob_fees 7 → 8). Use --replace to replace them',
    'line 3: block_count: 5, but 9 to 12 are 4 blocks',
    expect.stringMatching(/^line 4: chain is missing or invalid, date is missing/),
    expect.stringMatching(/^line 5: chain is missing or invalid, /),
  ]);
  expect(lines.slice(20)).toEqual([
    'and 2 more',
    'Nothing was written. Correct these rows, or skip them with --skip-bad.',
  ]);
  expect(stdout).toBe('');
  expect(code).toBe(1);
  expect(await stored()).toMatchObject([two]);
  expect(await getCoverage(store())).toBeUndefined();
});

test('a dry run lists what it would replace and writes nothing', async () => {
  const [one = storedDay(), two = storedDay()] = storedDays(2);
  await putStoredDay(table(), one, 0);
  const connected = { ...two, parent_hash: one.last_block.hash };
  await putDayAfter([one, two]);
  write([{ ...one, transaction_count: 10, revision: 2, parent_hash: blockAt(0).hash }, connected]);
  const dry = await run('import', file, '--replace', '--dry-run');
  expect(dry.stdout).toMatch(/^BSC 2025-11-18: transaction_count 9 → 10\n\n/);
  expect(dry.stderr).toBe('Dry run: nothing was written.\n');
  expect(dry.code).toBe(0);
  expect(await stored()).toMatchObject([one, { date: '2025-11-20' }]);
});

test('Ctrl-C keeps the days written, and the printed command continues', async () => {
  const days = linked(storedDays(120));
  const [one = storedDay()] = days;
  await putStoredDay(table(), { ...one, transaction_count: 10 }, 0);
  await putDayAfter(days);
  write(days, '{\n');
  // The problem of the last row is printed right before the first day is written.
  const parameters = ['import', file, '--skip-bad', '--replace'];
  const { code, stderr } = await cli(parameters, { BSC: [] }, (output, interrupt) => {
    if (output.includes('line 121')) interrupt();
  });
  expect(code).toBe(130);
  const [, command = ''] = /To continue: npx --no chain-insights (.*)\n/.exec(stderr) ?? [];
  expect(command).toBe(parameters.join(' '));
  const before = (await stored())
    .slice(0, -1)
    .filter(({ transaction_count }) => transaction_count === 9).length;
  expect(before).toBeLessThan(120);

  const { code: codeAfter, stdout } = await run(...command.split(' '), '--json');
  const { written, chains, problem_count, problems } = JSON.parse(stdout);
  expect(written).toBe(true);
  const [{ added, replaced, already_final }] = chains;
  expect([added + replaced, already_final]).toEqual([120 - before, before]);
  expect([problem_count, problems]).toEqual([1, [expect.objectContaining({ line: 121 })]]);
  expect(codeAfter).toBe(3);
  expect((await stored()).slice(0, -1)).toEqual(days);
});

test('refuses days whose end nothing confirms, and writes the others with --skip-bad', async () => {
  const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
  await putStoredDay(table(), { ...two, parent_hash: one.last_block.hash }, 0);
  write([one, three]);
  const { code, stdout, stderr } = await run('import', file, '--skip-bad');
  expect(stderr).toMatch(/\nline 2: nothing confirms block 12 \(0x\w{8}…\), the last of BSC 2025-11-20: /);
  expect(stderr).toMatch(
    /Also import the days from there to the next final day, or try again when two hosts respond\n/,
  );
  expect(stdout).toMatch(/\nBSC +2025-11-18 +2025-11-18 +1 +0 +0\n/);
  expect(code).toBe(3);
  expect((await stored()).map(({ date }) => date)).toEqual(['2025-11-18', '2025-11-19']);
});

test('refuses a file without rows, since the command that wrote it may have failed', async () => {
  writeFileSync(file, '\n');
  const { code, stderr } = await run('import', file);
  expect(stderr).toBe(`${file} has no rows, so nothing was written. Check how it was created.\n`);
  expect(code).toBe(1);
});
