import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compareDays, writeDays } from '#cli/import/stored-days.ts';
import { validateRows } from '#cli/import/validate-rows.ts';
import { decodeLines } from '#core/backup/export-files.ts';
import { addDays } from '#core/figures/calendar.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { readStoredDays } from '#core/store/days/days.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { createFolder } from '#test/support/folders.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { exportToMemory, fileOf, fillTable } from '#test/support/generators/rows/filled-table.ts';
import { emptyAfter, restatedDay, storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { startInProcessTable } from '#test/support/tables/in-process-table.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';

const { table, store, cli } = useAnnouncedTable('2025-11-17', 'BSC');
const run = (...parameters: string[]) => cli(['import', ...parameters], { BSC: [] });
const stored = () => Array.fromAsync(readStoredDays(store()));

describe('a file', () => {
  let file: string;
  beforeEach(() => {
    file = join(createFolder(), 'days.ndjson');
  });

  const write = (days: readonly StoredDay[], ...more: string[]) =>
    writeFileSync(file, [fileOf(days.map((day) => ({ day }))), ...more].join(''));
  /** Stores the day after these days, which continues them, so that no host is asked. */
  const putDayAfter = (days: readonly StoredDay[]) => {
    const { date = '', last_block = blockAt(0) } = days.at(-1) ?? {};
    const day = storedDay({ ...emptyAfter(last_block.number), date: addDays(date, 1), last_block });
    return putStoredDay(table(), { ...day, parent_hash: last_block.hash }, undefined);
  };

  test('is written, with its coverage and events, if a final day follows it', async () => {
    const empty = storedDay({ ...emptyAfter(12), date: '2025-11-21' });
    const days = [restatedDay(), ...storedDays(3).slice(1), empty];
    write([...days, storedDay({ chain: 'POLYGON' })]);
    await putDayAfter(days);
    const { code, stdout } = await run(file, '--chain', 'BSC');
    expect(stdout).toMatch(/\nBSC +2025-11-18 +2025-11-21 +4 +0 +0\n$/);
    expect(code).toBe(0);
    expect((await stored()).slice(0, -1)).toEqual(days);
    expect(await getCoverage(store())).toMatchObject({ from_day: '2025-11-17', last_day: '2025-11-22' });
    expect(await listUnsentEvents(store())).toHaveLength(5);
  });

  test('with invalid rows is refused as a whole, and the first twenty problems are listed', async () => {
    const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
    await putStoredDay(table(), two, undefined);
    write(
      [one, { ...two, blob_fees: 8n }, { ...three, block_count: 5, proven_blocks: 5 }],
      ...Array<string>(20).fill('{}\n'),
    );
    const { code, stdout, stderr } = await run(file);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      `${file}:`,
      'line 2: BSC 2025-11-19 is final with other figures (blob_fees 7 → 8)',
      'line 3: block_count: 5, but 9 to 12 are 4 blocks',
      expect.stringMatching(/^line 4: not an item of the table, such as /),
    ]);
    expect(lines.slice(21)).toEqual([
      'and 2 more',
      'Nothing was written. Correct these rows, or skip them with --skip-bad. --replace replaces final days.',
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(await stored()).toMatchObject([two]);
    expect(await getCoverage(store())).toMatchObject({ revision: 2, last_day: two.date });
  });

  test('can be tried without writing', async () => {
    const [one = storedDay(), two = storedDay()] = storedDays(2);
    await putStoredDay(table(), one, undefined);
    await putDayAfter([one, two]);
    write([{ ...one, transaction_count: 10, revision: 2 }, two]);
    const dry = await run(file, '--replace', '--dry-run');
    expect(dry.stdout).toMatch(/^BSC 2025-11-18: transaction_count 9 → 10\n\n/);
    expect([dry.code, dry.stderr]).toEqual([0, 'Dry run: nothing was written, and no host was asked.\n']);
    expect(await stored()).toMatchObject([one, { date: '2025-11-20' }]);
  });

  test('is continued after Ctrl-C by the printed command', async () => {
    const days = storedDays(60);
    const [one = storedDay()] = days;
    await putStoredDay(table(), { ...one, transaction_count: 10 }, undefined);
    await putDayAfter(days);
    write(days, '{\n');
    // The problem of the last row is printed right before the first day is written.
    const parameters = [file, '--skip-bad', '--replace'];
    const { code, stderr } = await cli(['import', ...parameters], { BSC: [] }, (output, interrupt) => {
      if (output.includes('line 61')) interrupt();
    });
    expect(code).toBe(130);
    const [, command = ''] = /To continue: npx --no chain-insights import (.*)\n/.exec(stderr) ?? [];
    expect(command).toBe(parameters.join(' '));
    const before = (await stored())
      .slice(0, -1)
      .filter(({ transaction_count }) => transaction_count === 9).length;
    expect(before).toBeLessThan(60);

    const { code: codeAfter, stdout } = await run(...command.split(' '), '--json');
    const { written, chains, problem_count, problems } = JSON.parse(stdout);
    expect(written).toBe(true);
    const [{ added, replaced, already_final }] = chains;
    expect([added + replaced, already_final]).toEqual([60 - before, before]);
    expect([problem_count, problems]).toEqual([1, [expect.objectContaining({ file, line: 61 })]]);
    expect(codeAfter).toBe(3);
    expect((await stored()).slice(0, -1)).toEqual(days.with(0, { ...one, amendments: 1 }));
  });

  test('without its unconfirmed days is written with --skip-bad', async () => {
    const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
    await putStoredDay(table(), two, undefined);
    write([one, three]);
    const { code, stdout, stderr } = await run(file, '--skip-bad');
    expect(stderr).toMatch(/\nline 2: nothing confirms block 12 \(0x\w{8}…\), the last of BSC 2025-11-20: /);
    expect(stdout).toMatch(/\nBSC +2025-11-18 +2025-11-18 +1 +0 +0\n/);
    expect(code).toBe(3);
    expect((await stored()).map(({ date }) => date)).toEqual(['2025-11-18', '2025-11-19']);
  });

  test('without rows is refused, since the command that wrote it may have failed', async () => {
    writeFileSync(file, '\n');
    const { code, stderr } = await run(file);
    expect(stderr).toBe(`Nothing was written: ${file} has no rows. Check how it was created.\n`);
    expect(code).toBe(1);
  });
});

describe('the folder of a daily export', () => {
  const folder = createFolder();
  const DAYS = 20;
  let files: Map<string, Buffer>;
  beforeAll(async () => {
    const { table: lost } = await startInProcessTable();
    await fillTable(lost, DAYS);
    await saveConflict(chainStore(lost, 'BSC'), { day: '2025-11-20', reason: 'Other figures.', since: 0 });
    files = await exportToMemory(lost);
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  });

  const textsOf = (exported: Map<string, Buffer>) =>
    ['BSC.ndjson.gz', 'BASE.ndjson.gz'].map((file) => ({
      file,
      text: gunzipSync(exported.get(file) ?? '').toString(),
    }));
  const itemsIn = (exported: Map<string, Buffer>) =>
    textsOf(exported).flatMap(({ text }) => [...decodeLines(text)].map((row) => 'item' in row && row.item));
  const exportedRevision = () => {
    const item = itemsIn(files).find((each) => each && each.chain === 'BSC' && each.date === 'coverage');
    return item ? Number(item.revision) : 0;
  };
  // Caches read all days again.
  const withChangesSince = (item: object | false) =>
    item && 'revision' in item && 'changes_since' in item
      ? { ...item, changes: [], changes_since: item.revision }
      : item;

  test('is restored into an empty table, so that its next export has the same items', async () => {
    const { code, stdout, stderr } = await run(folder);
    expect(stdout).toMatch(
      /\nBSC +2025-11-18 +2025-12-07 +20 +0 +0\nBASE +2025-11-19 +2025-11-19 +1 +0 +0\n/,
    );
    // A busy machine takes long enough for a line of progress.
    expect([code, stderr.replace(/^\d+ %, .*\n/gm, '')]).toEqual([0, '']);
    const items = itemsIn(files).map(withChangesSince);
    expect(itemsIn(await exportToMemory(table()))).toEqual(items);
    // With one day of BASE, two coverages, a restatement, a conflict and an audit; the first day has no details.
    expect(items).toHaveLength(2 * DAYS + 5);
    // Their events were sent long ago.
    expect(await listUnsentEvents(store())).toEqual([]);
  });

  test('is continued after a kill, and a further run changes nothing', async () => {
    const { rows } = validateRows(textsOf(files).slice(0, 1), '2026-11-21');
    const killed = new AbortController();
    const onWritten = (written: number) => {
      if (written === 10) killed.abort();
    };
    const { writes } = compareDays(rows, new Map(), false);
    await writeDays(table(), writes, killed.signal, true, onWritten);
    const { code, stdout } = await run(folder, '--json');
    const [{ added, already_final }] = JSON.parse(stdout).chains;
    expect(already_final).toBeGreaterThanOrEqual(10);
    expect(added).toBeGreaterThan(0);
    expect([added + already_final, code]).toEqual([DAYS, 0]);
    const coverage = await getCoverage(store());
    expect(coverage).toMatchObject({ revision: exportedRevision(), last_day: '2025-12-07' });
    expect((await run(folder)).stdout).toMatch(/\nBSC +2025-11-18 +2025-12-07 +0 +0 +20\n/);
    expect(await getCoverage(store())).toEqual(coverage);
  });

  test('is refused by a table with days of its own, and adds the missing ones with --merge', async () => {
    const [, second = storedDay()] = storedDays(2);
    await putStoredDay(table(), { ...second, ingested_at: '2026-01-01T00:00:00.000Z' }, undefined);
    await putStoredDay(table(), restatedDay({ transaction_count: 10 }), undefined);
    const before = await refreshCoverage(store(), '2025-11-19');
    const refused = await run(folder);
    expect(refused.stderr).toMatch(
      /^Nothing was written: the table of .* has 2 final days that do not come from this export \(BSC 2025-11-18, BSC 2025-11-19, …\)\. .* import \S+ --merge\n$/,
    );
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(await getCoverage(store())).toEqual(before);

    const tried = await run(folder, '--merge', '--dry-run');
    expect(tried.stdout).toMatch(/\nBSC +2025-11-19 +2025-12-07 +18 +0 +1\n/);
    expect(await stored()).toHaveLength(2);
    const merged = await run(folder, '--merge', '--chain', 'BSC');
    expect(merged.stderr).toMatch(
      /^BSC\.ndjson\.gz:\nline 1: BSC 2025-11-18 is final with other figures \(transaction_count 10 → 9\)\n/,
    );
    expect(merged.stdout).toMatch(/\nBSC +2025-11-19 +2025-12-07 +18 +0 +1\n/);
    expect(merged.code).toBe(3);
    // Clients may keep tags of revisions after the export.
    expect(await getCoverage(store())).toMatchObject({
      from_day: '2025-11-17',
      last_day: '2025-12-07',
      revision: exportedRevision() + 10_000,
    });
  });

  test.each([
    ['is missing', 'nowhere', [], /^Reading nowhere failed: ENOENT, no such file or directory\. /],
    ['has no prefix', 's3://bucket', [], /^s3:\/\/bucket names no export\. Expected one such as /],
    ['lacks the chain', folder, ['--chain', 'POLYGON'], / has no days of POLYGON\. /],
  ])('is refused when it %s', async (_, place, options, message) => {
    const { code, stderr } = await run(place, ...options);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
});
