import { marshall } from '@aws-sdk/util-dynamodb';
import type { FileDay } from '#cli/import/validate-rows.ts';
import { encodeItem } from '#core/backup/export-files.ts';
import { exportTable } from '#core/backup/export-table.ts';
import { saveLag } from '#core/store/chain/coverage.ts';
import { saveSuspect } from '#core/store/chain/suspects.ts';
import { changeArchiveFile } from '#core/store/days/archives.ts';
import { requestRestatement, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { toDetailAttributes } from '#core/store/days/details.ts';
import { discardWaitingDay } from '#core/store/days/waiting-days.ts';
import { revisionKey } from '#core/store/table/keys.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { withDetails } from './details.ts';
import { restatedDay, storedDay, storedDays } from './stored-days.ts';

/** An open request of an operator. */
const REQUEST = { reason: 'a node lied', requestedAt: '2025-11-25T08:00:00.000Z', isByHand: true };

/** A file of an archive with many ranges that were compared. */
const AUDITED = {
  name: 'dune',
  draws: [],
  equal: Array.from({ length: 1_001 }, (_, index) => 46_000_000 + index),
  report: '1 of 1 ranges was equal.',
};

/** Stores days of two chains, and an item of every other kind. */
export async function fillTable(table: Table, days = 5): Promise<void> {
  const [first, ...others] = storedDays(days);
  await putStoredDay(table, restatedDay(first), undefined);
  for (const plain of others) {
    const { day, details } = withDetails(plain);
    await putStoredDay(table, day, undefined, details);
  }
  await putStoredDay(table, storedDay({ chain: 'BASE', date: '2025-11-19' }), undefined);
  const store = chainStore(table, 'BSC');
  for (const chain of [store, chainStore(table, 'BASE')]) {
    for (let revision = 1; revision <= 3; revision++) await refreshCoverage(chain, '2025-11-17');
  }
  await requestRestatement(store, '2025-11-19', REQUEST);
  await changeArchiveFile(store, 'ab'.repeat(32), () => AUDITED);
  await saveCheckpoint(store, { day: '2026-01-01', sequence: 0 }, {});
  await store.table.commit([discardWaitingDay(store, '2026-01-02')]);
  await saveLag(store, { seconds_behind: 17, seen_at: new Date().toISOString() });
  await saveSuspect(store, { host: 'a.example', process: '4f99', since: 0 });
}

/** Exports a table into memory. Returns the files by name. */
export async function exportToMemory(table: Table, now = new Date()): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  await exportTable(table, async (name, bytes) => void files.set(name, bytes), now);
  return files;
}

const lineOf = (item: object) => encodeItem(marshall(item, { removeUndefinedValues: true }));

/** Returns the file that `export` writes of days, with the details of each before it. */
export const fileOf = (days: readonly Pick<FileDay, 'day' | 'details'>[]): string =>
  days
    .flatMap(({ day, details }) => [
      ...(details
        ? [
            {
              ...revisionKey(day, 'details', { day: day.date, revision: day.revision }),
              ...toDetailAttributes(details),
            },
          ]
        : []),
      day,
    ])
    .map(lineOf)
    .join('');
