import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import {
  type ArchiveFile,
  changeArchiveFile,
  decodeArchived,
  fileWrite,
  getArchivedDay,
  getArchiveFile,
  listArchivedDays,
  listArchiveFiles,
  provenFeesPercent,
  provingFile,
} from '#core/store/days/archives.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { useStore } from '#test/support/tables/table.ts';

/*
 * Proves that archived days are kept apart from final ones, that the share of proven fees counts both, and that no writer of a file
 * overwrites what another wrote.
 */

const { table, store } = useStore('BSC');
const [DAY, NEXT, DAY_AFTER] = ['2026-11-18', '2026-11-19', '2026-11-20'] as const;
const FILE = 'ab'.repeat(32);

const put = (day: string, fees: bigint, given = provenance()) =>
  putDay(
    store(),
    dayFigures(day, { totals: { ...NO_TOTALS, fees: { ...NO_FEES, execution: fees } } }),
    given,
  );

describe('archived days', () => {
  test('are read without the final ones, the earliest first', async () => {
    await put(DAY_AFTER, 1n, archivedProvenance());
    await put(NEXT, 1n);
    await put(DAY, 2n, archivedProvenance());
    const days = await listArchivedDays(store());
    expect(days.map(({ figures }) => figures.day)).toEqual([DAY, DAY_AFTER]);
    expect(await getArchivedDay(store(), DAY)).toEqual(days[0]);
    expect(days[0]).toMatchObject({ origin: archiveOrigin(), version: { revision: 1 } });
    expect([await getArchivedDay(store(), NEXT), await getArchivedDay(store(), '2026-11-21')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('are refused without the archive that they come from', async () => {
    await put(DAY, 2n, archivedProvenance());
    const { archived_from: _, ...item } = (await table().getItem({ chain: 'BSC', date: DAY })) ?? {};
    expect(() => decodeArchived(store(), item)).toThrow(`BSC ${DAY} is archived without an archive`);
  });
});

describe('provenFeesPercent', () => {
  test('is absent without fees', async () => {
    expect(await provenFeesPercent(store())).toBeUndefined();
    await put(DAY, 0n);
    expect(await provenFeesPercent(store())).toBeUndefined();
  });

  test.each([
    ['rounds down to a tenth', 2n, 1n, 66.6],
    ['is below 100 while any fee is not proven', 10n ** 30n, 1n, 99.9],
    ['is 100 once all fees are proven', 5n, 0n, 100],
  ])('%s', async (_, proven, archived, percent) => {
    await put(DAY, proven);
    await put(NEXT, archived, archivedProvenance());
    expect(await provenFeesPercent(store())).toBe(percent);
  });

  test('counts checked days as not proven', async () => {
    await put(DAY, 1n, provenance({ evidence: 'checked' }));
    await put(NEXT, 3n);
    expect(await provenFeesPercent(store())).toBe(75);
  });
});

describe('files', () => {
  const numbersIn = ({ equal, sequence }: ArchiveFile) => [sequence, ...equal];
  const addNumber = (number: number) => (file: ArchiveFile) => ({ equal: [...file.equal, number] });

  test('begin without draws, and keep what each change leaves out', async () => {
    expect(await getArchiveFile(store(), FILE)).toBeUndefined();
    await changeArchiveFile(store(), FILE, () => ({ name: 'dune' }));
    const changed = await changeArchiveFile(store(), FILE, addNumber(7));
    expect(changed).toEqual({ sequence: 2, sha256: FILE, name: 'dune', draws: [], equal: [7] });
    expect(await listArchiveFiles(store())).toMatchObject([{ ...changed, equal: [7] }]);
  });

  test.each([
    ['the first', false, [2, 7, 8]],
    ['a later', true, [3, 1, 7, 8]],
  ])('that two writers change at once have both changes, after %s write', async (_, isStored, numbers) => {
    if (isStored) await changeArchiveFile(store(), FILE, addNumber(1));
    const before = () => changeArchiveFile(store(), FILE, addNumber(7));
    const racing = { ...store(), table: racingTable(table(), () => true, { before }) };
    expect(numbersIn(await changeArchiveFile(racing, FILE, addNumber(8)))).toEqual(numbers);
    expect(numbersIn((await getArchiveFile(store(), FILE)) as ArchiveFile)).toEqual(numbers);
  });

  test('a write that is part of a commit is refused once another writer was faster', async () => {
    const { after, write } = fileWrite(store(), FILE, undefined, addNumber(7));
    expect(numbersIn(after)).toEqual([1, 7]);
    expect(await table().commit([write])).toBe(true);
    expect(await table().commit([write])).toBe(false);
    expect(await table().commit([fileWrite(store(), FILE, after, addNumber(8)).write])).toBe(true);
  });
});

describe('provingFile', () => {
  const file = (name: string, since?: string): ArchiveFile => ({
    ...{ sequence: 1, sha256: name, name, draws: [], equal: [] },
    proving: since === undefined ? undefined : { day: DAY, since, by: 'chance' },
  });

  test('is the one whose day was chosen last', () => {
    const files = [
      file('a', '2026-11-24T08:00:00Z'),
      file('b', '2026-11-25T08:00:00Z'),
      file('c', '2026-11-23T08:00:00Z'),
      file('d'),
    ];
    expect(provingFile(files)?.name).toBe('b');
  });

  test('is any file while none has such a day, and absent without files', () => {
    expect(provingFile([file('a')])?.name).toBe('a');
    expect(provingFile([])).toBeUndefined();
  });
});
