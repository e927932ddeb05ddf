import fc from 'fast-check';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { refreshCoverage } from '../../../lambda/store/coverage.ts';
import { type DayFigures, getDay, listFinalDays, putDay, queryDays } from '../../../lambda/store/days.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const NOW = new Date('2026-11-21T00:05:00Z');

const figures = (day: string, given: Partial<DayFigures> = {}): DayFigures => ({
  day,
  totals: { ...NO_TOTALS, blocks: 2, transactions: 3 },
  first: { number: 8, hash: hashOf(8) },
  last: { number: 9, hash: hashOf(9) },
  definitionVersion: 1,
  ...given,
});
const put = (day: string, given?: Partial<DayFigures>, chain = 'BSC') =>
  putDay(table(), chain, figures(day, given), NOW);

test('figures come back as they were stored, to the last of 38 digits', async () => {
  const wei = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n });
  const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  const days = fc.record({
    totals: fc.record({
      blocks: count,
      transactions: count,
      protocolTransactions: count,
      fees: fc.record({ execution: wei, l1Data: wei, operator: wei, blob: wei, reportedTwice: wei }),
    }),
  });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(days, async (given) => {
      const chain = `CHAIN ${number++}`;
      await put('2026-11-20', given, chain);
      expect(await getDay(table(), chain, '2026-11-20')).toEqual(figures('2026-11-20', given));
    }),
    { numRuns: 40 },
  );
});

test('a day without blocks has no first block', async () => {
  await put('2026-11-20', { first: undefined });
  expect(await getDay(table(), 'BSC', '2026-11-20')).toEqual(figures('2026-11-20', { first: undefined }));
});

test('a day is stored once: the first figures stay', async () => {
  expect(await put('2026-11-20')).toBe(true);
  expect(await put('2026-11-20', { totals: NO_TOTALS })).toBe(false);
  expect((await getDay(table(), 'BSC', '2026-11-20'))?.totals.transactions).toBe(3);
});

test('a range gives the final days of that chain alone, both ends included, ascending', async () => {
  for (const day of ['2026-11-20', '2026-11-17', '2026-11-19', '2026-11-18']) await put(day);
  await put('2026-11-18', {}, 'BASE');
  const days = await queryDays(table(), 'BSC', '2026-11-18', '2026-11-20');
  expect(days.map(({ day }) => day)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20']);
  expect(await queryDays(table(), 'POLYGON', '2026-11-18', '2026-11-20')).toEqual([]);
});

test('items that are no days are never met, whatever the range', async () => {
  await put('2026-11-20');
  await refreshCoverage(table(), 'BSC', '2026-11-20');
  await saveCheckpoint(table(), 'BSC', { day: '2026-11-21', notBefore: 0, totals: NO_TOTALS }, 0);
  expect(await queryDays(table(), 'BSC', '0000-01-01', '9999-12-31')).toHaveLength(1);
  expect(await listFinalDays(table(), 'BSC', '0000-01-01')).toEqual(['2026-11-20']);
});

test('more days than fit into one answer of the table are all given', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) =>
    new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10),
  );
  for (let index = 0; index < many.length; index += 50)
    await Promise.all(many.slice(index, index + 50).map((day) => put(day)));
  expect((await queryDays(table(), 'BSC', '2000-01-01', '2030-01-01')).map(({ day }) => day)).toEqual(many);
  expect(await listFinalDays(table(), 'BSC', '2000-01-01')).toEqual(many);
});
