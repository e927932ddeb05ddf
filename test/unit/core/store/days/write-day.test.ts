import { NO_TOTALS } from '#core/figures/totals.ts';
import { toDayItem } from '#core/store/days/day-item.ts';
import { getDetails } from '#core/store/days/details.ts';
import { listUnpriced, listUnsentEvents } from '#core/store/days/notes.ts';
import {
  amended,
  dayWrites,
  isRestated,
  isSameVersion,
  isStill,
  isUpToDate,
  restatedItem,
  restatementState,
} from '#core/store/days/write-day.ts';
import type { Write } from '#core/store/table/table.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance } from '#test/support/generators/rows/archived-days.ts';
import { useStore } from '#test/support/tables/table.ts';

/* Proves that a day is written with what belongs to it, over the version that was read and no other, and that no figures are lost. */

const { table, store } = useStore('BSC');
const DAY = '2026-11-18';
const figuresWith = (transactions: number) => dayFigures(DAY, { totals: { ...NO_TOTALS, transactions } });
const details = {
  hours: Array.from({ length: 24 }, () => NO_TOTALS),
  feeCounts: new Map(),
  dollars: undefined,
};
const itemWith = (transactions: number, given = provenance()) =>
  toDayItem(figuresWith(transactions), given, 1, details);
const stored = async () => (await table().getItem({ chain: 'BSC', date: DAY })) ?? {};
const commit = (writes: readonly Write[]) => table().commit(writes);
const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };

describe('isStill', () => {
  test.each([
    ['the version that was read', { revision: 2 }, { revision: 2 }, true],
    ['the amendment that was read', { revision: 2, amendments: 1 }, { revision: 2, amendments: 1 }, true],
    ['a later revision', { revision: 2 }, { revision: 3 }, false],
    ['a first amendment', { revision: 2 }, { revision: 2, amendments: 1 }, false],
    ['a later amendment', { revision: 2, amendments: 1 }, { revision: 2, amendments: 2 }, false],
    [
      'the same amendment of a later revision',
      { revision: 2, amendments: 1 },
      { revision: 3, amendments: 1 },
      false,
    ],
  ])('compares with what is stored: %s', async (_, read, now, isDone) => {
    await table().putIf({ chain: 'BSC', date: DAY, ...now });
    const put = { chain: 'BSC', date: DAY, ...read, ...amended(read) };
    expect(isSameVersion(read, now)).toBe(isDone);
    expect(await commit([{ put, condition: isStill(read) }])).toBe(isDone);
  });
});

test('amended counts additions to a revision from 1', () => {
  expect(amended({ revision: 2, amendments: undefined })).toEqual({ amendments: 1 });
  expect(amended({ revision: 2, amendments: 1 })).toEqual({ amendments: 2 });
});

describe('dayWrites', () => {
  test('writes the details, and notes that the day is to be priced and told', async () => {
    expect(await commit(dayWrites(store(), itemWith(3), undefined, { details, position: 7 }))).toBe(true);
    expect(await getDetails(store(), { day: DAY, revision: 1 })).toEqual(details);
    expect(await listUnpriced(store())).toEqual([DAY]);
    expect(await listUnsentEvents(store())).toMatchObject([{ day: DAY, revision: 1, position: 7 }]);
  });

  test('replaces no day unless its version is given', async () => {
    await commit(dayWrites(store(), itemWith(3), undefined, {}));
    expect(await commit(dayWrites(store(), itemWith(4), undefined, {}))).toBe(false);
    expect(await commit(dayWrites(store(), itemWith(4), { revision: 1, amendments: undefined }, {}))).toBe(
      true,
    );
  });

  test.each([
    ['an archived day', itemWith(3, archivedProvenance()), {}],
    ['a day that is not to be priced', itemWith(3), { isPriceable: false }],
  ])('leaves out what %s does not need', async (_, item, notes) => {
    await commit(dayWrites(store(), item, undefined, notes));
    expect([await listUnpriced(store()), await listUnsentEvents(store())]).toEqual([[], []]);
  });
});

describe('isUpToDate', () => {
  const item =
    (given = provenance(), change: object = {}) =>
    async () => {
      await commit(dayWrites(store(), { ...itemWith(3, given), ...change }, undefined, {}));
      return stored();
    };
  const checked = provenance({ evidence: 'checked' });

  test.each([
    ['proven figures', item(), 3, provenance(), true],
    ['proven figures that are only checked now', item(), 3, checked, true],
    ['checked figures that are checked again', item(checked), 3, checked, true],
    ['checked figures that are proven now', item(checked), 3, provenance(), false],
    ['other figures', item(), 4, provenance(), false],
    ['figures without measures', item(provenance(), { measures_version: undefined }), 3, provenance(), false],
  ])('%s', async (_, before, transactions, given, isSame) => {
    expect(isUpToDate(store(), await before(), figuresWith(transactions), given)).toBe(isSame);
  });
});

describe('a restatement', () => {
  const replace = async (transactions: number, by = restatement) => {
    const item = restatedItem(store(), await stored(), figuresWith(transactions), provenance(), by, details);
    await commit([{ put: { ...item, chain: 'BSC' } }]);
  };

  test('keeps each earlier revision with all its attributes, also those that this version does not know', async () => {
    await commit(dayWrites(store(), { ...itemWith(3), ...{ colour: 'red' } }, undefined, {}));
    const { chain: _chain, date: _date, ...old } = await stored();
    await replace(4);
    await replace(5, { ...restatement, reason: 'again' });
    const now = await stored();
    expect(now).toMatchObject({ revision: 3n, transaction_count: 5n });
    expect(now).not.toHaveProperty('colour');
    expect(now.restated).toEqual([
      {
        ...old,
        reason: 'a node lied',
        requested_at: restatement.requestedAt,
        restated_at: '2026-11-21T00:05:00.000Z',
      },
      expect.objectContaining({ revision: 2n, transaction_count: 4n, reason: 'again' }),
    ]);
  });

  test('is done once the day was replaced for the same reason at the same time', async () => {
    expect(await restatementState(store(), DAY, restatement)).toBe('void');
    await commit(dayWrites(store(), itemWith(3), undefined, {}));
    expect(await restatementState(store(), DAY, restatement)).toBe('open');
    await replace(4);
    expect(await restatementState(store(), DAY, restatement)).toBe('done');
    for (const other of [{ reason: 'another' }, { requestedAt: '2026-11-25T08:00:01Z' }])
      expect(isRestated(store(), await stored(), { ...restatement, ...other })).toBe(false);
  });
});
