import { environment } from '#lambda/environment.ts';
import { useExport } from '#test/support/aws/run-export.ts';
import { fillTable } from '#test/support/generators/rows/filled-table.ts';

/* Proves which files an export writes, in which order, and what it does when it cannot. daily-mail.slow.test.ts proves its email. */

const { table, runExport } = useExport();
const keys = ['BSC.ndjson.gz', 'BASE.ndjson.gz', 'manifest.json'].map((name) => `exports/2026-01-03/${name}`);

test('writes the files of today under the prefix, the manifest last, and logs what it wrote', async () => {
  await fillTable(table());
  const { objects, logged, result } = await runExport();
  expect([[...objects.keys()].toSorted(), [...objects.keys()].at(-1)]).toEqual([
    keys.toSorted(),
    keys.at(-1),
  ]);
  expect(logged).toEqual([{ export: 's3://exports/exports/2026-01-03', ...result }]);
  expect(result).toEqual(JSON.parse(String(objects.get(keys[2] ?? ''))));
});

test('fails without a manifest, after the other files, when the bucket refuses one', async () => {
  await fillTable(table());
  const { result, objects, logged, mails } = await runExport({
    fault: ({ key }) => (key.includes('BSC') ? { status: 403, code: 'AccessDenied' } : undefined),
  });
  expect(result).toMatchObject({
    message: expect.stringMatching(/^BSC could not be exported: AccessDenied/),
  });
  expect([...objects.keys()]).toEqual(keys.slice(1, 2));
  expect([logged, mails()]).toEqual([[], []]);
});

test('opens the days of other chains, and does not fail, where a row of one cannot be read', async () => {
  await fillTable(table());
  await table().putIf({ chain: 'BSC', date: '2026-01-01', transaction_count: 'x' });
  const { result, objects, mails } = await runExport({ variables: { [environment.publicDays]: '60' } });
  expect(result).not.toBeInstanceOf(Error);
  expect(mails()[0]?.Message).toContain('The pages show no open days of BSC: The item BSC 2026-01-01');
  const { chains } = JSON.parse(String(objects.get('public/days.json')));
  const counts = new Map(chains.map(({ chain, rows }: Record<string, unknown[]>) => [chain, rows?.length]));
  expect([counts.get('BSC'), counts.get('BASE')]).toEqual([0, 1]);
});

test('emails once that the open days were refused, instead of an error that repeats the export', async () => {
  const { result, mails } = await runExport({
    variables: { [environment.publicDays]: '60' },
    fault: ({ key }) => (key.includes('public/') ? { status: 403, code: 'AccessDenied' } : undefined),
  });
  expect([result instanceof Error, mails()[0]?.Message]).toEqual([
    false,
    expect.stringContaining('The open days of the pages were not written: AccessDenied'),
  ]);
});

test('opens the latest days of each chain to the pages, as /days returns them, where the stage says so', async () => {
  await fillTable(table());
  // Of BSC, the table has 2025-11-18 to 2025-11-22.
  const { objects } = await runExport({ variables: { [environment.publicDays]: '45' } });
  const { chains } = JSON.parse(String(objects.get('public/days.json')));
  const bsc = chains.find(({ chain }: { chain: string }) => chain === 'BSC');
  expect(bsc.rows.map(({ date }: { date: string }) => date)).toEqual([
    '2025-11-19',
    '2025-11-20',
    '2025-11-21',
    '2025-11-22',
  ]);
  expect(bsc.rows[0]).toMatchObject({
    fees: expect.stringMatching(/^\d+\.\d{18}$/),
    evidence: expect.any(String),
    first_block: { hash: expect.any(String) },
  });
});

test('writes all days of each chain as files, and their index last, where the stage names a licence', async () => {
  await fillTable(table());
  const { objects, mails } = await runExport({ variables: { [environment.publicFiles]: 'CC0-1.0' } });
  const names = [...objects.keys()].filter((key) => key.startsWith('public/'));
  expect(names).toEqual(
    ['BSC.csv', 'BSC.parquet', 'BASE.csv', 'BASE.parquet', 'index.json'].map((name) => `public/${name}`),
  );
  expect(JSON.parse(String(objects.get('public/index.json')))).toMatchObject({
    written_at: '2026-01-03T02:30:00.000Z',
    licence: 'CC0-1.0',
    chains: [
      { chain: 'BSC', days: 5, first_day: '2025-11-18', last_day: '2025-11-22' },
      { chain: 'BASE', days: 1 },
    ],
  });
  expect(mails()[0]?.Message ?? '').not.toContain('open days');
});
