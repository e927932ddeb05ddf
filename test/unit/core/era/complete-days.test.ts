import fc from 'fast-check';
import { NO_RECORDS } from '#core/era/accumulator.ts';
import { confirmedDays, daysBefore, endsOf, partsOf } from '#core/era/complete-days.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { reportedBy } from '#core/figures/finality.ts';
import { type DayProgress, NO_PARENT } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import type { EraSums } from '#core/store/era-sums.ts';
import { hashOf } from '#test/support/generators/builders.ts';

const FIRST_DAY = '2026-01-01';
const HOSTS = ['a.example', 'b.example'];

/**
 * Blocks `first` to `last` of a day, each with one transaction.
 * @param fork names another chain, which leaves this one after block `forkedAt`
 */
const blocks = (day: string, first: number, last: number, fork = '', forkedAt = -1): DayProgress => {
  const hash = (number: number) =>
    number < 0 ? NO_PARENT : hashOf(`${number} ${number > forkedAt ? fork : ''}`);
  return {
    day,
    parentHash: hash(first - 1),
    first: { number: first, hash: hash(first) },
    last: { number: last, hash: hash(last) },
    notBefore: startOfDay(day),
    totals: { ...NO_TOTALS, blocks: last - first + 1, transactions: last - first + 1 },
    hours: [{ ...NO_TOTALS, blocks: last - first + 1 }],
    feeCounts: new Map([[700 + (first % 3), last - first + 1]]),
    provenBlocks: last - first + 1,
    hosts: ['mirror.example'],
  };
};

/** A file of these days, confirmed unless it says otherwise. */
function fileOf(days: readonly DayProgress[], given: Partial<EraSums> = {}): EraSums {
  const [first, last] = [days[0]?.first?.number ?? 0, days.at(-1)?.last?.number ?? 0];
  return {
    name: `mainnet-${String(first).padStart(5, '0')}-00000000.era1`,
    first,
    count: last - first + 1,
    parentHash: days[0]?.parentHash ?? '',
    days,
    records: NO_RECORDS,
    confirmedBy: HOSTS,
    seconds: 1,
    bytes: 1,
    ...given,
  };
}

const UNCONFIRMED = { confirmedBy: [] };
const A = fileOf([blocks('2025-12-31', 0, 0), blocks('2026-01-01', 1, 4)]);
const B = fileOf([blocks('2026-01-01', 5, 6), blocks('2026-01-02', 7, 9)]);
const C = fileOf([blocks('2026-01-02', 10, 10), blocks('2026-01-03', 11, 12)]);

const confirmed = (files: readonly EraSums[]) =>
  confirmedDays(files, endsOf(partsOf(files)), FIRST_DAY).toSorted((a, b) =>
    a.progress.day.localeCompare(b.progress.day),
  );
const figuresOf = ({ day, first, last, totals }: DayProgress) => [
  day,
  first?.number,
  last?.number,
  totals.transactions,
];
const daysOf = (files: readonly EraSums[]) => confirmed(files).map(({ progress }) => figuresOf(progress));

const FIRST = ['2026-01-01', 1, 6, 6];
const SECOND = ['2026-01-02', 7, 10, 4];

test('joins the parts of a day that the end of a file cuts, in any order of files', () => {
  expect(daysOf([C, A, B])).toEqual([FIRST, SECOND]);
});

test('states the parent of the first block of each day', () => {
  const parents = confirmed([A, B, C]).map(({ progress }) => progress.parentHash);
  expect(parents).toEqual([A.days[0]?.last?.hash, B.days[0]?.last?.hash]);
});

test('completes no day whose first or last block may be in another file', () => {
  expect(daysOf([A])).toEqual([]);
  expect(daysOf([B, C])).toEqual([SECOND]);
});

test('completes no day that a file without confirmation ends', () => {
  const ending = fileOf([blocks('2026-01-01', 1, 4)]);
  const genesis = fileOf([blocks('2025-12-31', 0, 0)]);
  const forged = fileOf([blocks('2026-01-02', 5, 6, 'forged', 4)]);
  expect(daysOf([genesis, ending, forged])).toEqual([['2026-01-01', 1, 4, 4]]);
  expect(daysOf([genesis, ending, { ...forged, ...UNCONFIRMED }])).toEqual([]);
});

test('confirms files without hosts by a confirmed one that follows them by hash', () => {
  expect(daysOf([{ ...A, ...UNCONFIRMED }, { ...B, ...UNCONFIRMED }, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([{ ...A, ...UNCONFIRMED }, B, { ...C, ...UNCONFIRMED }])).toEqual([FIRST]);
});

test('confirms no file that no confirmed one follows by hash', () => {
  expect(daysOf([A, B, C].map((file) => ({ ...file, ...UNCONFIRMED })))).toEqual([]);
  const fork = fileOf([blocks('2026-01-01', 5, 6), blocks('2026-01-02', 7, 9, 'fork', 8)], UNCONFIRMED);
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
    ['2026-01-03', 11, 13, 3],
    ['2026-01-04', 14, 14, 1],
  ]);
});

test('counts blocks once that two files have', () => {
  const again = { ...B, name: 'mainnet-00005-00000000.ere' };
  expect(daysOf([A, B, again, C])).toEqual([FIRST, SECOND]);
});

test('uses the longer of two files that begin with the same block', () => {
  const short = fileOf([blocks('2026-01-01', 5, 6), blocks('2026-01-02', 7, 7)]);
  const long = { ...B, name: 'mainnet-00005-11111111.ere' };
  expect(daysOf([A, short, long, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([A, long, short, C])).toEqual([FIRST, SECOND]);
  expect(daysOf([A, short, { ...long, days: [], problem: 'damaged' }, C])).toEqual([FIRST]);
});

test('completes days without blocks between two blocks, from the first day of the chain on', () => {
  const later = fileOf([blocks('2025-12-20', 0, 0), blocks('2026-01-03', 1, 1)]);
  expect(daysOf([later])).toEqual([
    ['2026-01-01', undefined, 0, 0],
    ['2026-01-02', undefined, 0, 0],
  ]);
});

test('names the hosts that confirm the file of the block after a day, or the next confirmed one', () => {
  const files = [{ ...A, confirmedBy: ['c.example'] }, { ...B, ...UNCONFIRMED }, C];
  expect(confirmed(files).map(({ finality }) => finality)).toEqual([reportedBy(HOSTS), reportedBy(HOSTS)]);
  const long = fileOf([...A.days.slice(0, 1), blocks('2026-01-01', 1, 6), blocks('2026-01-02', 7, 7)]);
  const rest = fileOf([blocks('2026-01-02', 8, 10), blocks('2026-01-03', 11, 11)]);
  expect(confirmed([{ ...long, confirmedBy: ['c.example'] }, rest]).map(({ finality }) => finality)).toEqual([
    reportedBy(['c.example']),
    reportedBy(HOSTS),
  ]);
});

test('reads back no day from a block that is not before it', () => {
  const ends = endsOf(partsOf([A, B, C]));
  const parentHash = B.days[1]?.last?.hash ?? '';
  expect([...daysBefore(ends, { day: '2026-01-02', parentHash }, FIRST_DAY)]).toEqual([]);
});

/** The numbers of the first blocks of ten days, some of which have none, and of the day after them. */
const dayStarts = fc
  .array(fc.integer({ min: 1, max: 60 }), { minLength: 10, maxLength: 10 })
  .map((starts) => [1, ...starts.toSorted((a, b) => a - b)]);

/** A file of the blocks from `first` on, of the chain or of a fork that leaves it. */
const cuts = fc.record({
  first: fc.nat(60),
  count: fc.integer({ min: 1, max: 20 }),
  isForged: fc.boolean(),
  forkedAt: fc.nat(60),
});

test('reads back only days of the chain, and all that its files have, beside any other files', () => {
  fc.assert(
    fc.property(dayStarts, fc.array(cuts), fc.uniqueArray(fc.nat(60)), (starts, others, ends) => {
      const count = starts.at(-1) ?? 0;
      const dayOf = (number: number) =>
        addDays('2025-12-31', number === 0 ? 0 : starts.filter((start) => start <= number).length);
      const cut = (first: number, last: number, fork = '', forkedAt = -1) => {
        const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
        const days = [...Map.groupBy(numbers, dayOf)].map(([day, [one = 0, ...more]]) =>
          blocks(day, one, more.at(-1) ?? one, fork, forkedAt),
        );
        return fileOf(days, UNCONFIRMED);
      };
      const edges = [...ends.filter((end) => end < count), count].toSorted((a, b) => a - b);
      const honest = edges.map((end, index) => cut(index === 0 ? 0 : (edges[index - 1] ?? 0) + 1, end));
      const foreign = others.map(({ first, count, isForged, forkedAt }) =>
        cut(first, first + count, isForged ? 'forged' : '', forkedAt),
      );
      const after = { day: dayOf(count), parentHash: blocks('', count, count).parentHash };
      const read = (files: readonly EraSums[]) =>
        [...daysBefore(endsOf(partsOf(files)), after, FIRST_DAY)].map(figuresOf);
      const expected = starts.slice(0, -1).flatMap((start, index) => {
        const day = addDays(FIRST_DAY, index);
        const end = (starts[index + 1] ?? 0) - 1;
        return day < after.day ? [[day, end < start ? undefined : start, end, end - start + 1]] : [];
      });
      expect(read([...foreign, ...honest])).toEqual(expected.toReversed());
      expect(read([...honest, ...foreign])).toEqual(expected.toReversed());
      const part = read([...honest.slice(1), ...foreign]);
      expect(part).toEqual(expected.toReversed().slice(0, part.length));
    }),
  );
});
