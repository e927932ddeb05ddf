import { gunzipSync } from 'node:zlib';
import { exportToMemory, fillTable } from '#test/support/generators/rows/filled-table.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const NOW = new Date('2026-01-03T02:30:00Z');

const itemsIn = (file: Buffer | undefined) =>
  gunzipSync(file ?? '')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).Item);
const keysIn = (file: Buffer | undefined) => itemsIn(file).map(({ date }) => date.S);

test('gives the same bytes for the same items', async () => {
  await fillTable(table());
  expect(await exportToMemory(table(), NOW)).toEqual(await exportToMemory(table(), NOW));
});

test('exports an item that cannot be read, and the others', async () => {
  for (const day of storedDays(2)) await table().putIf(day);
  await table().putIf({ chain: 'BSC', date: '2025-11-20', transaction_count: 1.5, odd: [true, null] });
  const [, , broken] = itemsIn((await exportToMemory(table())).get('BSC.ndjson.gz'));
  expect(broken).toMatchObject({
    transaction_count: { N: '1.5' },
    odd: { L: [{ BOOL: true }, { NULL: true }] },
  });
});

test('reads every page of a chain, with queries alone', async () => {
  const days = storedDays(12);
  const padding = 'x'.repeat(100_000);
  for (const day of days) await table().putIf({ ...day, padding });
  const commands: string[] = [];
  table().client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        commands.push(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  expect(keysIn((await exportToMemory(table())).get('BSC.ndjson.gz'))).toHaveLength(12);
  expect(new Set(commands)).toEqual(new Set(['QueryCommand']));
  // Three ranges of six chains, and a second page of the days.
  expect(commands.length).toBeGreaterThan(18);
});
