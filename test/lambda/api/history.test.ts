import fc from 'fast-check';
import { JSON_TYPE, type Row } from '../../../lambda/api/formats.ts';
import {
  around,
  type DayRange,
  type History,
  historyOf,
  holesOf,
  indexesOf,
  outdated,
  replaceRows,
  unknown,
} from '../../../lambda/api/history.ts';
import { addDays, countDays, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import type { Coverage } from '../../../lambda/store/coverage.ts';

const row = (day: UtcDay, value = 1): Row => [day, value];
const range = (first: UtcDay, last = first): DayRange => ({ first, last });

const day = fc.nat(20).map((days) => addDays('2026-11-01', days));
const days = fc.uniqueArray(day).map((list) => list.toSorted());
const dayRange = fc.tuple(day, fc.nat(9)).map(([first, more]) => range(first, addDays(first, more)));
const listed = ({ first, last }: DayRange): UtcDay[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

test('the holes of a range are the days without a row, in stretches', () => {
  const rows = ['2026-11-02', '2026-11-03', '2026-11-06'].map((each) => row(each));
  expect(holesOf(range('2026-11-01', '2026-11-07'), rows)).toEqual([
    range('2026-11-01'),
    range('2026-11-04', '2026-11-05'),
    range('2026-11-07'),
  ]);
  expect(holesOf(range('2026-11-02', '2026-11-03'), rows.slice(0, 2))).toEqual([]);
});

test('the holes and the rows are all days of a range, none twice', () => {
  fc.assert(
    fc.property(dayRange, days, (all, final) => {
      const rows = final.filter((each) => all.first <= each && each <= all.last);
      const holes = holesOf(
        all,
        rows.map((each) => row(each)),
      ).flatMap(listed);
      expect([...holes, ...rows].toSorted()).toEqual(listed(all));
    }),
  );
});

test('what is unknown, with what is known, is all from the first to the last of both, none twice', () => {
  fc.assert(
    fc.property(fc.option(dayRange, { nil: undefined }), dayRange, (known, wanted) => {
      const all = [...(known ? listed(known) : []), ...unknown(known, wanted).flatMap(listed)];
      expect(all.toSorted()).toEqual(listed(around(known, wanted)));
    }),
  );
});

test('the rows of a range are found by where they begin and end', () => {
  fc.assert(
    fc.property(days, dayRange, (final, wanted) => {
      const [begin, end] = indexesOf(
        final.map((each) => row(each)),
        wanted,
      );
      expect(final.slice(begin, end)).toEqual(
        final.filter((each) => wanted.first <= each && each <= wanted.last),
      );
    }),
  );
});

test('what was read takes the place of all that its range held, and the days stay in order and single', () => {
  const rows = ['2026-11-01', '2026-11-03', '2026-11-05'].map((each) => row(each, 1));
  const read: [DayRange, Row[]][] = [
    [range('2026-11-02', '2026-11-03'), [row('2026-11-02', 2)]],
    [range('2026-11-06'), [row('2026-11-06', 3)]],
    [range('2026-11-06', '2026-11-07'), [row('2026-11-06', 3), row('2026-11-07', 4)]],
  ];
  expect(replaceRows(rows, read)).toEqual([
    row('2026-11-01', 1),
    row('2026-11-02', 2),
    row('2026-11-05', 1),
    row('2026-11-06', 3),
    row('2026-11-07', 4),
  ]);
});

describe('what is out of date', () => {
  const rows = ['2026-11-01', '2026-11-02', '2026-11-04'].map((each) => row(each));
  const history = (given: Partial<History> = {}): History => ({
    ...historyOf('fees', 5, range('2026-11-01', '2026-11-04'), rows),
    ...given,
  });
  const coverage = (given: Partial<Coverage>): Coverage => ({
    from: '2026-11-01',
    through: '2026-11-02',
    last: '2026-11-04',
    revision: 6,
    changes: [],
    changesSince: 0,
    ...given,
  });

  test('is nothing as long as the coverage is the same, or nothing is known', () => {
    expect(outdated(history(), coverage({ revision: 5 }))).toEqual([]);
    expect(outdated(history({ range: undefined, rows: [] }), coverage({}))).toEqual([]);
  });

  test('are days that were missing, since a run may have published them', () => {
    expect(outdated(history(), coverage({}))).toEqual([range('2026-11-03')]);
  });

  test('are known days that were changed since, and no others', () => {
    const changes = [
      { day: '2026-11-01', revision: 5 },
      { day: '2026-11-02', revision: 6 },
      { day: '2026-11-09', revision: 6 },
    ];
    expect(outdated(history(), coverage({ changes }))).toEqual([range('2026-11-02'), range('2026-11-03')]);
  });

  test('is all that is known when there are many of them', () => {
    const changes = Array.from({ length: 9 }, () => ({ day: '2026-11-02', revision: 6 }));
    expect(outdated(history(), coverage({ changes }))).toEqual([range('2026-11-01', '2026-11-04')]);
  });

  test('cannot be told by a coverage that does not reach back so far, or that was begun anew', () => {
    expect(outdated(history(), coverage({ revision: 9, changesSince: 6 }))).toBeUndefined();
    expect(outdated(history(), coverage({ revision: 9, changesSince: 5 }))).toEqual([range('2026-11-03')]);
    expect(outdated(history(), coverage({ revision: 4 }))).toBeUndefined();
  });
});

test('the rows are written once, with where each begins', () => {
  const { written } = historyOf('fees', 1, range('2026-11-01', '2026-11-02'), [row('2026-11-01', 7)]);
  expect(written[JSON_TYPE]).toEqual({ text: '{"date":"2026-11-01","fees":7}', starts: [0, 31] });
});
