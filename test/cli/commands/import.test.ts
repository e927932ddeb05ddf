import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csv } from '../../../cli/rows/csv.ts';
import { ndjson } from '../../../cli/rows/ndjson.ts';
import { toRow } from '../../../cli/rows/row.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { putStoredDay, readStoredDays } from '../../../lambda/store/stored-days.ts';
import type { StoredDay } from '../../../lambda/store/day-item.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { emptyAfter, restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';

const { table, cli } = useAnnouncedTable('2025-11-18');
const store = () => chainStore(table(), 'BSC');
const run = (...parameters: string[]) => cli(parameters, { BSC: [] });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  file = join(folder, 'days.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (days: readonly StoredDay[], ...more: string[]) =>
  writeFileSync(file, [...days.map((day) => ndjson.encode(toRow(day))), ...more].join(''));
const stored = () => Array.fromAsync(readStoredDays(store(), '0000-01-01', '9999-12-31'));

test('what was exported comes back into an empty table, with its coverage', async () => {
  const days = [
    restatedDay(),
    ...storedDays(3).slice(1),
    storedDay({ ...emptyAfter(12), date: '2025-11-21' }),
  ];
  file = join(folder, 'days.CSV');
  writeFileSync(file, csv.header + days.map((day) => csv.encode(toRow(day))).join(''));
  const { code, stdout } = await run('import', file);
  expect(stdout).toMatch(/\nBSC +2025-11-18 +2025-11-21 +4 +0 +0\n/);
  expect(code).toBe(0);
  expect(await stored()).toEqual(days);
  expect(await getCoverage(store())).toMatchObject({ from: '2025-11-18', through: '2025-11-21' });
});

test('of a file with bad rows nothing is written; they are told by line, as many as one would read', async () => {
  const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
  await putStoredDay(table(), two, 0);
  write([one, { ...two, blob_fees: 8n }, { ...three, block_count: 5 }], '{}\n', '{}\n');
  const { code, stdout, stderr } = await run('import', file);
  const [title, ...lines] = stderr.trimEnd().split('\n');
  expect(title).toBe(`${file}:`);
  expect(lines.slice(0, 4)).toEqual([
    'line 2: BSC 2025-11-19 is final with other figures here (blob_fees 7 → 8): --replace puts these in their place',
    'line 3: block_count: 5, but from 9 to 12 there are 4',
    expect.stringMatching(/^line 4: chain: is missing$/),
    'line 4: date: is missing',
  ]);
  expect(lines.slice(20)).toEqual([
    expect.stringMatching(/^and \d+ more$/),
    'Nothing was written. Mend these rows, or leave them out with --skip-bad.',
  ]);
  expect(stdout).toBe('');
  expect(code).toBe(1);
  expect(await stored()).toEqual([two]);
  expect(await getCoverage(store())).toBeUndefined();
});

test('a dry run tells what would be replaced, and writes nothing', async () => {
  const [one = storedDay(), two = storedDay()] = storedDays(2);
  await putStoredDay(table(), one, 0);
  write([{ ...one, transaction_count: 10, revision: 2 }, two]);
  const dry = await run('import', file, '--replace', '--dry-run');
  expect(dry.stdout).toMatch(/\n\nBSC 2025-11-18: transaction_count 9 → 10\n$/);
  expect(dry.stderr).toBe('Nothing was written: this was a dry run.\n');
  expect(dry.code).toBe(0);
  expect(await stored()).toEqual([one]);
});

test('Ctrl-C keeps what is written, and the line that it says goes on from there', async () => {
  const days = storedDays(120);
  const [one = storedDay()] = days;
  await putStoredDay(table(), { ...one, transaction_count: 10 }, 0);
  write(days, '{\n');
  // That the last row is bad is said right before the first is written.
  const parameters = ['import', file, '--skip-bad', '--replace'];
  const { code, stderr } = await cli(parameters, { BSC: [] }, (output, interrupt) => {
    if (output.includes('line 121')) interrupt();
  });
  expect(code).toBe(130);
  const [, command = ''] = /To go on: npx chain-insights (.*)\n/.exec(stderr) ?? [];
  expect(command).toBe(parameters.join(' '));
  const before = (await stored()).filter(({ transaction_count }) => transaction_count === 9).length;
  expect(before).toBeLessThan(120);

  const { code: codeAfter, stdout } = await run(...command.split(' '), '--json');
  const { written, chains, problem_count, problems } = JSON.parse(stdout);
  expect(written).toBe(true);
  const [{ added, replaced, already_final }] = chains;
  expect([added + replaced, already_final]).toEqual([120 - before, before]);
  expect([problem_count, problems]).toEqual([1, [expect.objectContaining({ line: 121 })]]);
  expect(codeAfter).toBe(3);
  expect(await stored()).toEqual(days);
});
