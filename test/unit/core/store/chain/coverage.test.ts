import {
  type Coverage,
  getLag,
  OldTableError,
  refuseOldTable,
  saveLag,
  settledRevision,
} from '#core/store/chain/coverage.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves which revision every reader sees, and which tables a version refuses. commit.test.ts proves what a coverage says. */

const { table, store } = useMemoryStore('BSC');
const DAY = '2026-11-18';

describe('settledRevision', () => {
  const coverage = (...times: readonly number[]): Coverage => ({
    ...{ days: '', from_day: DAY, through_day: DAY, waiting_days: 0 },
    revision: 10 + times.length,
    changes_since: 10,
    changes: times.map((at, index) => ({ day: DAY, revision: 11 + index, at })),
  });

  test.each([
    ['the last one without changes', [], 10],
    ['the last one 3 seconds after each change', [1_000, 2_000, 7_000], 13],
    ['the one before a change of less than 3 seconds ago', [1_000, 7_000, 7_001], 12],
    ['the one before the first of such changes', [7_001, 9_000], 10],
    ['the one before a change in the future, by the clock of another process', [1_000, 20_000], 11],
    ['the one before an unsettled change, though later ones are older', [9_000, 1_000], 10],
  ])('is %s', (_, times, revision) => {
    expect(settledRevision(coverage(...times), 10_000)).toBe(revision);
  });
});

describe('refuseOldTable', () => {
  test('accepts a chain without a coverage, and one of this format', async () => {
    await refuseOldTable(store());
    await putDay(store(), dayFigures(DAY), provenance());
    await refuseOldTable(store());
  });

  // 1.0.0 stores format 3.
  test.each([undefined, 2, 4])('refuses the format %p', async (format) => {
    await table().putIf({ chain: 'BSC', date: 'coverage', ...(format && { format }) });
    await expect(refuseOldTable(store())).rejects.toThrow(OldTableError);
    await expect(refuseOldTable(store())).rejects.toThrow(
      'The table has days of BSC that this version cannot read',
    );
  });
});

test('the lag is read as the last run saved it', async () => {
  expect(await getLag(store())).toBeUndefined();
  await saveLag(store(), { seconds_behind: 12, seen_at: '2026-11-18T00:00:00Z', problem: 'no endpoint' });
  const lag = { seen_at: '2026-11-18T01:00:00Z', refused_block: 7 };
  await saveLag(store(), lag);
  expect(await getLag(store())).toEqual(lag);
});
