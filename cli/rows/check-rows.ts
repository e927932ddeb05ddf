import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { StoredDay } from '../../lambda/store/stored-days.ts';
import { problemsOf } from './check-day.ts';
import { type FileDay, keyOf } from './check-file.ts';
import { knownDay } from './known-days.ts';
import { collectProblems, type Problems, withMore } from './problems.ts';
import type { ReadRow } from './read-rows.ts';

/** What is kept of a file after its first reading: no more than there are days, whatever is in it. */
export interface CheckedRows {
  readonly rows: number;
  /** Those whose rows are well, each by itself, and there once. */
  readonly days: readonly FileDay[];
  readonly problems: Problems;
}

/**
 * Checks each row by itself, and whether its day stands elsewhere too.
 * @param today UTC
 * @param onRow is told how many rows it has seen
 */
export async function checkRows(
  rows: AsyncIterable<ReadRow>,
  today: UtcDay,
  onRow: (rows: number) => void = () => {},
): Promise<CheckedRows> {
  const problems = collectProblems();
  const days = collectDays(problems.add);
  let count = 0;
  for await (const { line, ...row } of rows) {
    const found = 'day' in row ? problemsOf(row.day, today) : row.problems;
    for (const problem of found) problems.add(line, problem);
    if ('day' in row && found.length === 0) days.add(line, row.day);
    onRow(++count);
  }
  // That a day stands twice is known at the second place, and said of the first too: that is out of order.
  return { rows: count, days: days.all(), problems: withMore(problems.all(), []) };
}

/** Keeps each day once. Of one that stands in several places none is kept, for nobody knows which is right. */
function collectDays(onProblem: (line: number, problem: string) => void) {
  const first = new Map<string, FileDay>();
  const places = new Map<string, number>();
  return {
    add: (line: number, day: StoredDay) => {
      const key = keyOf(day.chain, day.date);
      const place = places.get(key);
      if (place === undefined) {
        places.set(key, line);
        first.set(key, { line, ...knownDay(day) });
        return;
      }
      if (first.delete(key)) onProblem(place, `${key} stands in line ${line} too`);
      onProblem(line, `${key} stands in line ${place} too`);
    },
    all: (): FileDay[] => [...first.values()],
  };
}
