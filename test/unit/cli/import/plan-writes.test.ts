import { planWrites } from '#cli/import/plan-writes.ts';
import { dayId, type FileDay } from '#cli/import/validate-rows.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt, emptyAfter, storedDay, storedDays } from '#test/support/generators/stored-days.ts';

/** The days of a file that begins in line 2. */
const inFile = (days: readonly StoredDay[]): FileDay[] =>
  days.map((day, index) => ({ line: index + 2, day }));
const indexOf = (days: readonly StoredDay[]) => new Map(days.map((day) => [dayId(day), day]));
const planned = (file: readonly StoredDay[], table: readonly StoredDay[] = [], replace = false) => {
  const { writes, alreadyFinal, problems } = planWrites(inFile(file), indexOf(table), { replace });
  const linesOf = (days: readonly FileDay[]) => days.map(({ line }) => line);
  return { writes: linesOf(writes), alreadyFinal: linesOf(alreadyFinal), problems };
};
/** Three contiguous days; `otherTwo` has the blocks of the second and other figures. */
const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const otherTwo = { ...two, transaction_count: 10, blob_fees: 8n };

test('writes contiguous days in any order, including one without blocks', () => {
  const empty = storedDay({ ...emptyAfter(8), date: '2025-11-20' });
  const after = { ...three, date: '2025-11-21' };
  expect(planned([after, two, empty, one])).toEqual({ writes: [2, 3, 4, 5], alreadyFinal: [], problems: [] });
});

test('does not compare days of different chains, or days that are not adjacent', () => {
  const { writes } = planned([one, { ...three, chain: 'BASE' }, { ...one, date: '2025-11-21' }]);
  expect(writes).toEqual([2, 3, 4]);
});

test('keeps a final day with the same figures and other provenance', () => {
  const again = { ...two, software_version: '2.0.0', revision: 2 };
  expect(planned([one, again], [two])).toEqual({ writes: [2], alreadyFinal: [3], problems: [] });
});

test('replaces a final day of other provenance with --replace, but not an identical one', () => {
  const again = { ...two, software_version: '2.0.0' };
  expect(planned([one, again], [one, two], true)).toEqual({ writes: [3], alreadyFinal: [2], problems: [] });
});

test('refuses a final day with other figures, and lists the differences', () => {
  expect(planned([one, otherTwo], [two])).toEqual({
    writes: [2],
    alreadyFinal: [],
    problems: [
      {
        line: 3,
        problem:
          'BSC 2025-11-19 is final with other figures (transaction_count 9 → 10, blob_fees 7 → 8). Use --replace to replace them',
      },
    ],
  });
});

test('plans to replace the stored day with --replace', () => {
  const { writes } = planWrites(inFile([otherTwo]), indexOf([two]), { replace: true });
  expect(writes).toMatchObject([{ line: 2, stored: { transaction_count: 9 } }]);
});

describe('refuses a day that is not contiguous', () => {
  const gap = { ...two, first_block: blockAt(6), block_count: 3 };

  test('with another day of the file, and that day too', () => {
    expect(planned([one, gap])).toEqual({
      writes: [],
      alreadyFinal: [],
      problems: [
        {
          line: 2,
          problem: expect.stringMatching(
            /^BSC 2025-11-18 has blocks 1 to 4 \(0x\w{8}…\), parent 0x\w{8}…, but the day after, in line 3, has blocks 6 to 8 /,
          ),
        },
        {
          line: 3,
          problem: expect.stringMatching(
            /^BSC 2025-11-19 has blocks 6 to 8 .*, but the day before, in line 2, has blocks 1 to 4 /,
          ),
        },
      ],
    });
  });

  test.each([
    ['before', [one], 'the day before, in the table, has blocks 1 to 4'],
    ['after', [{ ...three, first_block: blockAt(10) }], 'the day after, in the table, has blocks 10 to 12'],
  ])('with the day %s in the table', (_, table, problem) => {
    const day = table[0] === one ? gap : two;
    expect(planned([day], table).problems).toEqual([{ line: 2, problem: expect.stringContaining(problem) }]);
  });

  test.each([
    ['number', blockAt(3)],
    ['hash', { number: 4, hash: blockAt(5).hash }],
  ])('because it has no blocks, and ends with a block of another %s', (_, last_block) => {
    const empty = storedDay({ ...emptyAfter(4), date: '2025-11-19', last_block });
    expect(planned([empty], [one]).problems).toEqual([
      { line: 2, problem: expect.stringMatching(/^BSC 2025-11-19 has no blocks after \d \(0x\w{8}…\), but/) },
    ]);
  });

  test('because its parent is another block than the last one of the day before', () => {
    const connected = { ...two, parent_hash: one.last_block.hash };
    expect(planned([one, connected]).problems).toEqual([]);
    const { problems } = planned([{ ...connected, parent_hash: blockAt(5).hash }], [one]);
    expect(problems).toEqual([
      {
        line: 2,
        problem: expect.stringMatching(
          /^BSC 2025-11-19 has blocks 5 to 8 \(0x\w{8}…\), parent 0x\w{8}…, but the day before, in the table, has blocks 1 to 4 \(0x\w{8}…\), parent 0x\w{8}…$/,
        ),
      },
    ]);
  });

  test('with the stored day, when the adjacent day of the file is refused', () => {
    const [, moved = storedDay()] = storedDays(2, { first_block: blockAt(4), last_block: blockAt(9) });
    const shorter = { ...one, last_block: blockAt(3), block_count: 3 };
    // Line 2 is contiguous with line 3, which is refused, but not with the stored day.
    expect(planned([shorter, moved], [two]).problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(planned([shorter, moved], [two], true)).toMatchObject({ writes: [2, 3], problems: [] });
  });

  test('and then each following day, when the first of a run is refused', () => {
    const table = storedDays(5);
    // Contiguous with one another; the first of them is not contiguous with the table.
    const moved = storedDays(6)
      .slice(1)
      .map((day) => ({
        ...day,
        parent_hash: blockAt((day.first_block?.number ?? 0) + 99).hash,
        first_block: blockAt((day.first_block?.number ?? 0) + 100),
        last_block: blockAt(day.last_block.number + 100),
      }));
    const { writes, problems } = planned(moved, table, true);
    expect(writes).toEqual([]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
  });
});
