import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';
import { NO_RECORDS } from '../../../lambda/era/header-records.ts';
import { completeDaysOf, tieFiles } from '../../../lambda/era/join.ts';
import type { Progress } from '../../../lambda/store/checkpoint-item.ts';
import type { EraSums } from '../../../lambda/store/era-sums.ts';
import { hashOf } from '../../support/builders.ts';

const FIRST_DAY = '2026-01-01';
const HOSTS = ['a.example', 'b.example'];

/** Blocks `first` to `last` of a day, each with one transaction. */
const blocks = (day: string, first: number, last: number): Progress => ({
  day,
  first: { number: first, hash: hashOf(first) },
  last: { number: last, hash: hashOf(last) },
  notBefore: startOfDay(day),
  totals: { ...NO_TOTALS, blocks: last - first + 1, transactions: last - first + 1 },
  provenBlocks: last - first + 1,
  hosts: ['mirror.example'],
});

/** A file of these days, confirmed unless it says otherwise. */
function fileOf(days: readonly Progress[], given: Partial<EraSums> = {}): EraSums {
  const first = days[0]?.first?.number ?? 0;
  const last = days.at(-1)?.last?.number ?? 0;
  return {
    ...{ name: `mainnet-${String(first).padStart(5, '0')}-00000000.era1`, first, count: last - first + 1 },
    ...{ parentHash: hashOf(first - 1), days, records: NO_RECORDS, confirmedBy: HOSTS },
    ...{ seconds: 1, bytes: 1, ...given },
  };
}

const A = fileOf([blocks('2025-12-31', 0, 0), blocks('2026-01-01', 1, 4)]);
const B = fileOf([blocks('2026-01-01', 5, 6), blocks('2026-01-02', 7, 9)]);
const C = fileOf([blocks('2026-01-02', 10, 10), blocks('2026-01-03', 11, 12)]);

/** The complete days with their blocks, and the block that follows them. */
const daysOf = (files: readonly EraSums[]) =>
  tieFiles(files).flatMap((run) =>
    completeDaysOf(run, FIRST_DAY).map(({ progress, next }) => [
      progress.day,
      progress.first?.number,
      progress.last?.number,
      progress.totals.transactions,
      next.number,
    ]),
  );

const FIRST = ['2026-01-01', 1, 6, 6, 7];
const SECOND = ['2026-01-02', 7, 10, 4, 11];

test('joins the parts of a day that the end of a file cuts, in any order of files', () => {
  expect(daysOf([C, A, B])).toEqual([FIRST, SECOND]);
});

test('completes no day whose first or last block may be in another file', () => {
  expect(daysOf([A])).toEqual([]);
  expect(daysOf([B, C])).toEqual([SECOND]);
});

test('ties files without confirmation to a confirmed one by the hashes of parents', () => {
  const unconfirmed = { confirmedBy: [] };
  expect(daysOf([{ ...A, ...unconfirmed }, { ...B, ...unconfirmed }, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([{ ...A, ...unconfirmed }, B, { ...C, ...unconfirmed }])).toEqual([FIRST]);
});

test('uses no file that is neither confirmed nor the parent of a tied one', () => {
  const unconfirmed = [A, B, C].map((file) => ({ ...file, confirmedBy: [] }));
  expect(daysOf(unconfirmed)).toEqual([]);
  const fork = {
    ...B,
    confirmedBy: [],
    days: B.days.with(-1, { ...B.days[1], last: { number: 9, hash: hashOf('fork') } } as Progress),
  };
  expect(daysOf([A, fork, C])).toEqual([]);
});

test('loses only the days of a file that is missing, refused or not read to its end', () => {
  expect(daysOf([A, C])).toEqual([]);
  expect(daysOf([A, B, { ...C, problem: 'damaged', days: [] }])).toEqual([FIRST]);
  expect(daysOf([A, B, { ...C, count: 5 }])).toEqual([FIRST]);
  const D = fileOf([
    blocks('2026-01-03', 13, 13),
    blocks('2026-01-04', 14, 14),
    blocks('2026-01-05', 15, 15),
  ]);
  expect(daysOf([A, { ...B, problem: 'damaged', days: [] }, C, D])).toEqual([
    ['2026-01-03', 11, 13, 3, 14],
    ['2026-01-04', 14, 14, 1, 15],
  ]);
});

test('counts blocks once that two files have', () => {
  const again = { ...B, name: 'mainnet-00005-00000000.ere' };
  expect(daysOf([A, B, again, C])).toEqual([FIRST, SECOND]);
});

test('uses the longer of two files that begin with the same block', () => {
  const short = fileOf([blocks('2026-01-01', 5, 6), blocks('2026-01-02', 7, 7)], {
    name: 'mainnet-00005-00000000.era1',
  });
  const long = { ...B, name: 'mainnet-00005-11111111.ere' };
  expect(daysOf([A, short, long, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([A, long, short, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([A, short, { ...long, days: [], problem: 'damaged' }, C])).toEqual([FIRST]);
});

test('completes days without blocks between two blocks, from the first day of the chain on', () => {
  const later = fileOf([blocks('2025-12-20', 0, 0), blocks('2026-01-03', 1, 1)]);
  expect(daysOf([later])).toEqual([
    ['2026-01-01', undefined, 0, 0, 1],
    ['2026-01-02', undefined, 0, 0, 1],
  ]);
});

test('names the hosts that confirm the file of a day’s last block, or the next confirmed one', () => {
  const files = [{ ...A, confirmedBy: ['c.example'] }, { ...B, confirmedBy: [] }, C];
  const days = tieFiles(files).flatMap((run) => completeDaysOf(run, FIRST_DAY));
  expect(days.map(({ confirmedBy }) => confirmedBy)).toEqual([HOSTS, HOSTS]);
});
