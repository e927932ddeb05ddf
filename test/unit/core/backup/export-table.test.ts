import { gunzipSync } from 'node:zlib';
import { sha256Of } from '#core/backup/export-files.ts';
import { exportDays, exportTable } from '#core/backup/export-table.ts';
import type { ChainName } from '#core/chains/chains.ts';
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

test('writes the file of a chain that has a single item, and none of a chain without', async () => {
  for (const day of storedDays(1)) await table().putIf(day);
  expect([...(await exportToMemory(table())).keys()]).toEqual(['BSC.ndjson.gz', 'manifest.json']);
});

test('exports the days of a range with their number, and with that of the items', async () => {
  await fillTable(table());
  const { text, ...counts } = await exportDays(table(), 'BSC', '2025-11-19', '2025-11-20');
  // Each of the days has details.
  expect(counts).toEqual({ items: 4, days: 2, first_day: '2025-11-19', last_day: '2025-11-20' });
  expect(text.trimEnd().split('\n')).toHaveLength(4);
});

describe('an export of 100 chains', () => {
  // Chains that do not exist yet: the export reads nothing of a chain but its name.
  const names = Array.from({ length: 100 }, (_, index) => `CHAIN_${index}` as ChainName);
  const DAYS = 3;
  beforeEach(async () => {
    for (const chain of names) for (const day of storedDays(DAYS, { chain })) await table().putIf(day);
  });

  /** Exports the chains, and counts those that are read at once. @param put fails for a file that it refuses */
  async function exportAll(put: (name: string) => void = () => {}) {
    const files = new Map<string, Buffer>();
    const open = new Set<string>();
    let mostOpen = 0;
    table().client.middlewareStack.add(
      (next) => (args) => {
        open.add(JSON.stringify(args.input).match(/CHAIN_\d+/)?.[0] ?? '');
        mostOpen = Math.max(mostOpen, open.size);
        return next(args);
      },
      { step: 'initialize', name: 'countChains', override: true },
    );
    const close = async (name: string, bytes: Buffer) => {
      open.delete(name.replace('.ndjson.gz', ''));
      put(name);
      files.set(name, bytes);
    };
    const result = await exportTable(table(), close, NOW, names).catch((error: Error) => error);
    return { result, files, mostOpen };
  }

  test('reads four of them side by side, and keeps their order in the manifest, which comes last', async () => {
    const { result, files, mostOpen } = await exportAll();
    expect(mostOpen).toBe(4);
    expect([...files.keys()].at(-1)).toBe('manifest.json');
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest).toEqual(result);
    expect(manifest.format).toBe(1);
    expect(manifest.chains.map(({ chain }: { chain: string }) => chain)).toEqual(names);
    for (const { chain, sha256, bytes, ...counts } of manifest.chains) {
      const file = files.get(`${chain}.ndjson.gz`) ?? Buffer.of();
      expect([sha256, bytes]).toEqual([sha256Of(file), file.length]);
      expect(counts).toEqual({ items: DAYS, days: DAYS, first_day: '2025-11-18', last_day: '2025-11-20' });
      expect(itemsIn(file).map((item) => item.chain.S)).toEqual([chain, chain, chain]);
    }
  });

  test('writes the files of all others when one fails, names that one, and writes no manifest', async () => {
    const { result, files } = await exportAll((name) => {
      if (name === 'CHAIN_7.ndjson.gz') throw new Error('refused');
    });
    expect(result).toMatchObject({
      message: expect.stringMatching(/^CHAIN_7 could not be exported: Error: refused\./),
    });
    expect(new Set(files.keys())).toEqual(
      new Set(names.filter((name) => String(name) !== 'CHAIN_7').map((name) => `${name}.ndjson.gz`)),
    );
  });
});
