import { noDollars } from '#core/figures/dollars.ts';
import { listUnpriced } from '#core/store/days/notes.ts';
import { importDay } from '#core/transitions/import.ts';
import { emptyDetails } from '#test/support/generators/rows/days-to-publish.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { putStoredDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves which copies of a day are still to be priced, and that a copy replaces only the version that its reader saw. */

const { table, store } = useMemoryStore('BSC');
const DAY = '2026-11-18';
const details = { ...emptyDetails, dollars: noDollars({ aggregator: '0x1', maxAge: 300 }) };
const { price, unpriced_reason, ...unpriced } = storedDay({ date: DAY });

describe('importDay', () => {
  test.each([
    ['with sums of dollars and neither a price nor a reason', [DAY], unpriced, details],
    ['that has no dollars for a reason', [], { ...unpriced, unpriced_reason: 'no feed' }, details],
    ['without sums of dollars', [], unpriced, emptyDetails],
    ['without details', [], unpriced, undefined],
  ])('of a copy %s, a later run prices the days %j', async (_, expected, copy, given) => {
    await putStoredDay(table(), copy, undefined, given);
    expect(await listUnpriced(store())).toEqual(expected);
  });

  test('replaces no version that another writer has changed since', async () => {
    await putStoredDay(table(), unpriced, undefined);
    expect(await importDay(table(), { ...unpriced, revision: 2 }, undefined)).toBe(false);
    expect(
      await importDay(table(), { ...unpriced, revision: 2 }, { revision: 1, amendments: undefined }),
    ).toBe(true);
    expect(await getStoredDay(store(), DAY)).toMatchObject({ revision: 2 });
  });
});
