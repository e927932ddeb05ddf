import { checkRows } from '../../../cli/rows/check-rows.ts';
import type { ReadRow } from '../../../cli/rows/read-rows.ts';
import type { StoredDay } from '../../../lambda/store/day-item.ts';
import { storedDay, storedDays } from '../../support/stored-days.ts';

async function* rowsOf(days: readonly StoredDay[]): AsyncGenerator<ReadRow> {
  for (const [index, day] of days.entries()) yield { line: index + 1, day };
}
const checked = async (days: readonly StoredDay[]) => {
  const found = await checkRows(rowsOf(days), '2026-11-21');
  return { ...found, days: found.days.map(({ line }) => line) };
};
const [one = storedDay(), two = storedDay()] = storedDays(2);

test('rows that are well are kept, and of the others what is wrong with them', async () => {
  const { rows, days, problems } = await checked([one, { ...two, block_count: 5 }]);
  expect([rows, days]).toEqual([2, [1]]);
  expect(problems).toEqual({
    count: 1,
    first: [{ line: 2, problem: 'block_count: 5, but from 5 to 8 there are 4' }],
  });
});

test('a day that stands in several places is bad in all of them, and each names another', async () => {
  const { days, problems } = await checked([one, two, one, one]);
  expect(days).toEqual([2]);
  expect(problems).toEqual({
    count: 3,
    first: [
      { line: 1, problem: 'BSC 2025-11-18 stands in line 3 too' },
      { line: 3, problem: 'BSC 2025-11-18 stands in line 1 too' },
      { line: 4, problem: 'BSC 2025-11-18 stands in line 1 too' },
    ],
  });
});

test('what is kept of a file does not grow with what is wrong in it', async () => {
  const many = Array.from({ length: 3_000 }, () => one);
  const { rows, days, problems } = await checked(many);
  expect([rows, days, problems.count, problems.first.length]).toEqual([3_000, [], 3_000, 1_000]);
});
