import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { coverageOf, getCoverage, refreshCoverage } from '../../../lambda/store/coverage.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const FROM = '2026-11-18';

const put = (day: string) =>
  putDay(
    table(),
    'BSC',
    { day, totals: NO_TOTALS, last: { number: 9, hash: hashOf(9) }, definitionVersion: 1 },
    provenance(),
  );

test.each([
  ['none', [], '2026-11-17', undefined],
  ['the first only', ['2026-11-18'], '2026-11-18', '2026-11-18'],
  ['all in a row', ['2026-11-18', '2026-11-19', '2026-11-20'], '2026-11-20', '2026-11-20'],
  ['a hole', ['2026-11-18', '2026-11-20'], '2026-11-18', '2026-11-20'],
  ['all but the first', ['2026-11-19', '2026-11-20'], '2026-11-17', '2026-11-20'],
])('with %s of the days final, the unbroken part and the last day are told', (_, days, through, last) => {
  expect(coverageOf(FROM, days, 4)).toEqual({ from: FROM, through, last, revision: 4 });
});

test('there is none before the first day', async () => {
  expect(await getCoverage(table(), 'BSC')).toBeUndefined();
});

test('each refresh raises the revision and follows the days that are stored', async () => {
  await put('2026-11-18');
  await refreshCoverage(table(), 'BSC', FROM);
  await put('2026-11-19');
  const refreshed = await refreshCoverage(table(), 'BSC', FROM);
  expect(refreshed).toEqual({ from: FROM, through: '2026-11-19', last: '2026-11-19', revision: 2 });
  expect(await getCoverage(table(), 'BSC')).toEqual(refreshed);
});

test('refreshes at once each count, and none goes back behind another', async () => {
  await put('2026-11-18');
  const refreshes = await Promise.all([1, 2, 3, 4].map(() => refreshCoverage(table(), 'BSC', FROM)));
  expect(refreshes.map(({ revision }) => revision).toSorted()).toEqual([1, 2, 3, 4]);
  expect(await getCoverage(table(), 'BSC')).toMatchObject({ revision: 4 });
});
