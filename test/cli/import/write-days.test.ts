import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { indexOf, judge } from '../../../cli/rows/check-file.ts';
import { csv } from '../../../cli/rows/csv.ts';
import type { Format } from '../../../cli/rows/format.ts';
import { knownDay } from '../../../cli/rows/known-days.ts';
import { ndjson } from '../../../cli/rows/ndjson.ts';
import { readRows } from '../../../cli/rows/read-rows.ts';
import { toRow } from '../../../cli/rows/row.ts';
import { refreshCoverages, writeDays } from '../../../cli/rows/write-days.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { getStoredDay, putStoredDay, readStoredDays } from '../../../lambda/store/stored-days.ts';
import type { StoredDay } from '../../../lambda/store/day-item.ts';
import type { Table } from '../../../lambda/store/table.ts';
import { startEmbeddedTable } from '../../../local/embedded-table.ts';
import { anyStoredDay, restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const { signal } = new AbortController();

async function* rowsOf(days: readonly StoredDay[]) {
  for (const [index, day] of days.entries()) yield { line: index + 1, day };
}
const judged = (days: readonly StoredDay[], stored: readonly StoredDay[] = []) =>
  judge(
    days.map((day, index) => ({ line: index + 1, ...knownDay(day) })),
    indexOf(stored.map(knownDay)),
    { replace: true },
  ).writes;
const write = (days: readonly StoredDay[], stored: readonly StoredDay[] = [], end = signal) =>
  writeDays(table(), judged(days, stored), rowsOf(days), { signal: end, onWritten: () => {} });
const readAll = (from: Table) =>
  Array.fromAsync(readStoredDays(chainStore(from, 'BSC'), '0000-01-01', '9999-12-31'));

const textOf = (format: Format, days: readonly StoredDay[]) =>
  format.header + days.map((day) => format.encode(toRow(day))).join('');
async function* chunk(text: string) {
  yield text;
}

test.each([
  ['CSV', csv],
  ['NDJSON', ndjson],
])(
  'what is written from %s is the item that was exported, attribute by attribute, and exports the same text',
  async (_, format) => {
    const other = await startEmbeddedTable();
    const itemOf = async ({ documents, name }: Table, { chain, date }: StoredDay) =>
      (await documents.send(new GetCommand({ TableName: name, Key: { chain, date } }))).Item;
    await fc.assert(
      fc.asyncProperty(anyStoredDay, async (day) => {
        await table().documents.send(new PutCommand({ TableName: table().name, Item: day }));
        const stored = await getStoredDay(chainStore(table(), day.chain), day.date);
        const text = textOf(format, stored ? [stored] : []);
        const before = await getStoredDay(chainStore(other, day.chain), day.date);
        const writes = judge(
          [{ line: format.header ? 2 : 1, ...knownDay(day) }],
          indexOf(before ? [knownDay(before)] : []),
          { replace: true },
        ).writes;
        await writeDays(other, writes, readRows(format, chunk(text)), { signal, onWritten: () => {} });
        expect(await itemOf(other, day)).toEqual(await itemOf(table(), day));
        const again = await getStoredDay(chainStore(other, day.chain), day.date);
        expect(textOf(format, again ? [again] : [])).toBe(text);
      }),
      { numRuns: 8, examples: [[restatedDay()]] },
    );
    await other.close();
  },
);

test('days are written as they are, and the checkpoint of each goes', async () => {
  const days = storedDays(30);
  const checkpoint = { day: '2025-11-19', sequence: 0 };
  await saveCheckpoint(store(), checkpoint, undefined);
  expect((await getCheckpoint(store(), '2025-11-19')).sequence).toBe(1);
  expect(await write(days)).toHaveLength(30);
  expect(await readAll(table())).toEqual(days);
  expect((await getCheckpoint(store(), '2025-11-19')).sequence).toBe(0);
});

test('a day that another writer changed since it was judged stays as that one left it', async () => {
  const [one = storedDay(), two = storedDay()] = storedDays(2);
  const theirs = { ...two, transaction_count: 10, revision: 2 };
  await putStoredDay(table(), theirs, 0);
  for (const judgedAgainst of [[], [{ ...two, blob_fees: 1n }]]) {
    const written = await write([one, two], judgedAgainst);
    expect(written.map(({ figures }) => figures.day)).toEqual(['2025-11-18']);
    expect(await readAll(table())).toEqual([one, theirs]);
  }
});

test('a day that is there already just so counts as written: the answer to its write was lost', async () => {
  const days = storedDays(2);
  await putStoredDay(table(), days[1] ?? storedDay(), 0);
  expect(await write(days)).toHaveLength(2);
});

test('a row that is another one when it is read again is not written', async () => {
  const days = storedDays(3);
  const changed = days.with(1, { ...storedDay(), ...days[1], transaction_count: 10 });
  const writing = writeDays(table(), judged(days), rowsOf(changed), { signal, onWritten: () => {} });
  await expect(writing).rejects.toThrow('line 2: the file was changed while it was read.');
  expect(await getStoredDay(store(), '2025-11-19')).toBeUndefined();
});

test('when it is stopped, it ends between two days, and tells those that are written', async () => {
  const end = new AbortController();
  const days = storedDays(60);
  const written = await writeDays(table(), judged(days), rowsOf(days), {
    signal: end.signal,
    onWritten: (done) => done === 5 && end.abort(),
  });
  expect(written.length).toBeGreaterThanOrEqual(5);
  expect(written.length).toBeLessThan(30);
  expect(await readAll(table())).toHaveLength(written.length);
});

test('the coverage is made anew from the start of the schedule; without one, from where it was or the chain began', async () => {
  const bsc = storedDays(3);
  const base = storedDay({ chain: 'BASE', date: '2023-06-15' });
  await write([...bsc, base]);
  const service = { title: '', flags: '', table: table(), chains: [] };
  await refreshCoverages(service, [...bsc, base].map(knownDay));
  expect(await getCoverage(chainStore(table(), 'BASE'))).toMatchObject({
    through: '2023-06-15',
    revision: 1,
  });
  expect(await getCoverage(store())).toMatchObject({ from: '2020-08-29', last: '2025-11-20' });
  const served = { name: 'BSC' as const, from: '2025-11-18', store: store(), openUpstreams: async () => [] };
  await refreshCoverages({ ...service, chains: [{ ...served, chain: chainOf('BSC') }] }, bsc.map(knownDay));
  expect(await getCoverage(store())).toMatchObject({ through: '2025-11-20', revision: 2 });
  await refreshCoverages(service, bsc.slice(0, 1).map(knownDay));
  expect(await getCoverage(store())).toMatchObject({ from: '2025-11-18', revision: 3 });
});

test('whoever keeps days is told of all that may have been written', async () => {
  await write(storedDays(2));
  await refreshCoverages({ title: '', flags: '', table: table(), chains: [] }, storedDays(2).map(knownDay));
  expect((await getCoverage(store()))?.changes).toEqual([
    { day: '2025-11-18', revision: 1 },
    { day: '2025-11-19', revision: 1 },
  ]);
});
