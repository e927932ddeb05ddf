import { addDays } from '#core/figures/calendar.ts';
import { gapAround, readAround } from '#core/transitions/around.ts';
import { dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance } from '#test/support/generators/rows/archived-days.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves which neighbors a change of a day reads, and that it is refused when one of them changes meanwhile. */

const { table, store } = useMemoryStore('BSC');
const DAY = '2026-11-18';
const dayAt = (distance: number) => addDays(DAY, distance);
/** A day of one block. */
const figuresOf = (distance: number, number = 10 + distance) =>
  figuresIn(dayProgress(dayAt(distance), number, number));
const put = (distance: number) => putDay(store(), figuresOf(distance), provenance());
const change = (key: string) => ({ put: { chain: 'BSC', date: key } });

describe('readAround', () => {
  test.each([
    ['the days before and after', undefined, [-1, 0, 1]],
    ['as many days after as are named', 2, [-1, 0, 1, 2]],
  ])('reads %s', async (_, distance, expected) => {
    for (const one of [-2, -1, 0, 1, 2, 3]) await put(one);
    const around = await readAround(store(), DAY, distance);
    const known = [-3, -2, -1, 0, 1, 2, 3].filter((one) => around.item(dayAt(one)));
    expect(known).toEqual(expected);
    expect(around.final(dayAt(1))).toEqual(figuresOf(1));
  });

  test('has no final figures of an archived day', async () => {
    await putDay(store(), figuresOf(1), archivedProvenance());
    const around = await readAround(store(), DAY);
    expect(around.item(dayAt(1))).toBeDefined();
    expect(around.final(dayAt(1))).toBeUndefined();
  });

  test.each([
    ['refused when the day before appears', -1, [], false],
    ['refused when the day after appears', 1, [], false],
    ['refused when the day before is replaced', -1, [-1, 1], false],
    ['refused when the day after is replaced', 1, [-1, 1], false],
    ['accepted when the day itself changes, which has a condition of its own', 0, [-1, 1], true],
    ['accepted when a day further away changes', 2, [-1, 1], true],
  ])('lets a commit be %s meanwhile', async (_, changed, stored, isAccepted) => {
    for (const one of stored) await put(one);
    const { checks } = await readAround(store(), DAY);
    await table().commit([change(dayAt(changed))]);
    expect(await table().commit([change('other'), ...checks])).toBe(isAccepted);
  });
});

test.each([
  ['no gap beside no other day', [], 10, undefined],
  ['no gap between two days that it links', [-1, 1], 10, undefined],
  ['a gap after a day that ends elsewhere', [-1], 12, dayAt(-1)],
  ['a gap before a day that begins elsewhere', [1], 12, DAY],
])('gapAround finds %s', async (_, stored, number, day) => {
  for (const one of stored) await put(one);
  const gap = gapAround(store(), await readAround(store(), DAY), figuresOf(0, number));
  expect(gap?.day).toBe(day);
});
