import { type FileDay, indexOf, judge } from '../../../cli/rows/check-file.ts';
import { knownDay } from '../../../cli/rows/known-days.ts';
import type { StoredDay } from '../../../lambda/store/day-item.ts';
import { blockAt, emptyAfter, storedDay, storedDays } from '../../support/stored-days.ts';

/** The days of a file, from line 2 on. */
const inFile = (days: readonly StoredDay[]): FileDay[] =>
  days.map((day, index) => ({ line: index + 2, ...knownDay(day) }));
const judged = (file: readonly StoredDay[], table: readonly StoredDay[] = [], replace = false) => {
  const { writes, alreadyFinal, problems } = judge(inFile(file), indexOf(table.map(knownDay)), { replace });
  const linesOf = (days: readonly FileDay[]) => days.map(({ line }) => line);
  return { writes: linesOf(writes), alreadyFinal: linesOf(alreadyFinal), problems };
};
/** Three days with other figures in the second, where the blocks lie the same. */
const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const otherTwo = { ...two, transaction_count: 10, blob_fees: 8n };

test('days that join are written, in whatever order they come, and so is one without blocks between them', () => {
  const empty = storedDay({ ...emptyAfter(8), date: '2025-11-20' });
  const after = { ...three, date: '2025-11-21' };
  expect(judged([after, two, empty, one])).toEqual({ writes: [2, 3, 4, 5], alreadyFinal: [], problems: [] });
});

test('days of other chains, and days further away, need not join', () => {
  const { writes } = judged([one, { ...three, chain: 'BASE' }, { ...one, date: '2025-11-21' }]);
  expect(writes).toEqual([2, 3, 4]);
});

test('a day that is final with the same figures is left as it is, though it came about otherwise', () => {
  const again = { ...two, software_version: '2.0.0', revision: 2 };
  expect(judged([one, again], [two])).toEqual({ writes: [2], alreadyFinal: [3], problems: [] });
});

test('with --replace it is put in its place, and one that is the same in all is not', () => {
  const again = { ...two, software_version: '2.0.0' };
  expect(judged([one, again], [one, two], true)).toEqual({ writes: [3], alreadyFinal: [2], problems: [] });
});

test('one that is final with other figures is bad, and told with what differs', () => {
  expect(judged([one, otherTwo], [two])).toEqual({
    writes: [2],
    alreadyFinal: [],
    problems: [
      {
        line: 3,
        problem:
          'BSC 2025-11-19 is final with other figures here (transaction_count 9 → 10, blob_fees 7 → 8): --replace puts these in their place',
      },
    ],
  });
});

test('with --replace it is written over the one that is stored', () => {
  const { writes } = judge(inFile([otherTwo]), indexOf([knownDay(two)]), { replace: true });
  expect(writes).toMatchObject([{ line: 2, stored: { figures: { totals: { transactions: 9 } } } }]);
});

describe('a day that does not join another', () => {
  const gap = { ...two, first_block: blockAt(6), block_count: 3 };

  test('in the file is bad with it', () => {
    expect(judged([one, gap])).toEqual({
      writes: [],
      alreadyFinal: [],
      problems: [
        {
          line: 2,
          problem: 'BSC 2025-11-18 has blocks 1 to 4, but the day after, in line 3, has blocks 6 to 8',
        },
        {
          line: 3,
          problem: 'BSC 2025-11-19 has blocks 6 to 8, but the day before, in line 2, has blocks 1 to 4',
        },
      ],
    });
  });

  test.each([
    ['before it', [one], 'the day before, in the table, has blocks 1 to 4'],
    [
      'after it',
      [{ ...three, first_block: blockAt(10) }],
      'the day after, in the table, has blocks 10 to 12',
    ],
  ])('in the table %s is bad', (_, table, problem) => {
    const day = table[0] === one ? gap : two;
    expect(judged([day], table).problems).toEqual([{ line: 2, problem: expect.stringContaining(problem) }]);
  });

  test.each([
    ['number', blockAt(3)],
    ['hash', { number: 4, hash: blockAt(5).hash }],
  ])('for it has no blocks and ends with another one by its %s is bad', (_, last_block) => {
    const empty = storedDay({ ...emptyAfter(4), date: '2025-11-19', last_block });
    expect(judged([empty], [one]).problems).toEqual([
      {
        line: 2,
        problem: expect.stringMatching(/^BSC 2025-11-19 has none after block \d \(0x\w{8}…\), but/),
      },
    ]);
  });

  test('is judged by what will be in the table: by the one there, when that of the file is bad', () => {
    const [, moved = storedDay()] = storedDays(2, { first_block: blockAt(4), last_block: blockAt(9) });
    const shorter = { ...one, last_block: blockAt(3), block_count: 3 };
    // Line 2 would join the second day of the file, which is bad, but not the one that stays.
    expect(judged([shorter, moved], [two]).problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(judged([shorter, moved], [two], true)).toMatchObject({ writes: [2, 3], problems: [] });
  });

  test('leaves its place to the one there, and so the next may be bad, and the one after that', () => {
    const table = storedDays(5);
    // They join one another, but the first of them not the table.
    const moved = storedDays(6)
      .slice(1)
      .map((day) => ({
        ...day,
        first_block: blockAt((day.first_block?.number ?? 0) + 100),
        last_block: blockAt(day.last_block.number + 100),
      }));
    const { writes, problems } = judged(moved, table, true);
    expect(writes).toEqual([]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
  });
});
