import type { ArchiveOrigin } from '#core/figures/day-figures.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { getArchivedDay } from '#core/store/days/archives.ts';
import { archive, markVoid } from '#core/transitions/archive.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves which stored day a day of an archive replaces. prove-archived.test.ts proves what a proof of such a day changes. */

const { store } = useMemoryStore('BSC');
const DAY = '2026-11-18';
const VOID = '2026-11-25T08:00:00.000Z';
const [file, other] = [archiveOrigin(), archiveOrigin({ file_sha256: '12'.repeat(32), name: 'other' })];
const figures = (transactions: number) => dayFigures(DAY, { totals: { ...NO_TOTALS, transactions } });
const add = (transactions: number, origin: ArchiveOrigin) =>
  archive(store(), figures(transactions), archivedProvenance(origin));
const stored = () => getStoredDay(store(), DAY);

beforeEach(() => beginCoverage(store(), DAY));

describe('archive', () => {
  test('stores a day that is not stored', async () => {
    expect(await add(3, file)).toBe(true);
    expect(await stored()).toMatchObject({ transaction_count: 3, evidence: 'archived', archived_from: file });
  });

  test('leaves a final day as it is', async () => {
    await putDay(store(), figures(3), provenance());
    expect(await add(4, file)).toBe(false);
    expect(await stored()).toMatchObject({ transaction_count: 3, evidence: 'proven' });
  });

  test('stores the new audit of the same file, and no new revision', async () => {
    await add(3, file);
    const audit = { ...file.audit, ranges_compared: 900 };
    expect(await add(3, { ...file, audit })).toBe(true);
    expect(await stored()).toMatchObject({ archived_from: { audit }, revision: 1, amendments: 1 });
  });

  test('keeps a day of another file, unless that file is void', async () => {
    await add(3, file);
    expect(await add(4, other)).toBe(false);
    expect(await stored()).toMatchObject({ transaction_count: 3, archived_from: file });
    await markVoid(store(), DAY, file.file_sha256, VOID);
    expect(await add(4, other)).toBe(true);
    expect(await stored()).toMatchObject({
      ...{ transaction_count: 4, archived_from: other, revision: 2 },
      restated: [
        {
          transaction_count: 3,
          reason: `the audit of its file ${file.file_sha256} is void; replaced by an audited file`,
          requested_at: other.audit.audited_at,
        },
      ],
    });
  });
});

describe('markVoid', () => {
  test('marks a day of the file once, and keeps the first time', async () => {
    await add(3, file);
    expect(await markVoid(store(), DAY, file.file_sha256, VOID)).toBe(true);
    expect(await markVoid(store(), DAY, file.file_sha256, '2026-11-26T08:00:00.000Z')).toBe(true);
    expect(await stored()).toMatchObject({ archived_from: { void_since: VOID }, amendments: 1 });
  });

  test.each([
    ['no day', async () => {}],
    ['a day of another file', () => add(3, other)],
    ['a final day', () => putDay(store(), figures(3), provenance())],
  ])('leaves alone %s', async (_, prepare) => {
    await prepare();
    expect(await markVoid(store(), DAY, file.file_sha256, VOID)).toBe(false);
    expect((await getArchivedDay(store(), DAY))?.origin.void_since).toBeUndefined();
  });
});
