import { indexOf, judge } from '../../../cli/rows/check-file.ts';
import { importReport, showProblems, showReport } from '../../../cli/rows/import-report.ts';
import { knownDay } from '../../../cli/rows/known-days.ts';
import { storedDay, storedDays } from '../../support/stored-days.ts';

const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const problems = { count: 2_000, first: [{ line: 9, problem: 'is bad' }] };

test('days that are added, replaced and there already are told, and what those that are replaced said', () => {
  const file = [one, { ...two, transaction_count: 10 }, three];
  const days = file.map((day, index) => ({ line: index + 1, ...knownDay(day) }));
  const judgement = judge(days, indexOf([two, three].map(knownDay)), { replace: true });
  const report = importReport(judgement, judgement.writes, problems);
  expect(report).toMatchObject({
    chains: [
      { ...{ chain: 'BSC', start_date: '2025-11-18', end_date: '2025-11-20' }, added: 1, replaced: 1 },
    ],
    replaced_days: [
      { chain: 'BSC', date: '2025-11-19', old: { transaction_count: 9 }, new: { transaction_count: 10 } },
    ],
    problem_count: 2_000,
    problems: problems.first,
  });
  expect(showReport(report, judgement.writes)).toMatch(
    /\nBSC +2025-11-18 +2025-11-20 +1 +1 +1\n\nBSC 2025-11-19: transaction_count 9 → 10$/,
  );
});

test('problems are shown as far as one would read, with how many more there are, kept or not', () => {
  const first = Array.from({ length: 30 }, (_, index) => ({ line: index + 1, problem: 'is bad' }));
  const lines = showProblems('stdin', { count: 30_000, first }).split('\n');
  expect(lines.slice(0, 2)).toEqual(['stdin:', 'line 1: is bad']);
  expect(lines.slice(20)).toEqual(['line 20: is bad', 'and 29,980 more']);
  expect(showProblems('a.csv', { count: 1, first: first.slice(0, 1) })).toBe('a.csv:\nline 1: is bad');
});
