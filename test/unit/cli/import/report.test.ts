import { stripVTControlCharacters } from 'node:util';
import { formatProblems, formatReport, importReport } from '#cli/import/report.ts';
import { compareDays } from '#cli/import/stored-days.ts';
import { dayId } from '#cli/import/validate-rows.ts';
import { storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';

const [one = storedDay(), two = storedDay(), three = storedDay()] = storedDays(3);
const problems = Array.from({ length: 2_000 }, (_, index) => ({
  file: 'stdin',
  line: index + 1,
  problem: 'is bad',
}));

test('counts added, replaced and already final days, and lists what was replaced', () => {
  const file = [one, { ...two, transaction_count: 10 }, three];
  const days = file.map((day, index) => ({ file: 'stdin', line: index + 1, day }));
  const stored = new Map([two, three].map((day) => [dayId(day), day]));
  const plan = { ...compareDays(days, stored, true), problems };
  const report = importReport(plan, plan.writes);
  expect(report).toMatchObject({
    chains: [{ chain: 'BSC', start_date: '2025-11-18', end_date: '2025-11-20', added: 1, replaced: 1 }],
    replaced_days: [
      { chain: 'BSC', date: '2025-11-19', old: { transaction_count: 9 }, new: { transaction_count: 10 } },
    ],
    problem_count: 2_000,
    problems: problems.slice(0, 1_000),
  });
  const table = / added +replaced +already stored\S*\nBSC +2025-11-18 +2025-11-20 +1 +1 +1$/;
  const text = stripVTControlCharacters(formatReport(report, plan.writes, false));
  expect(text).toMatch(/^BSC 2025-11-19: transaction_count 9 → 10\n\nchain/);
  expect(text).toMatch(table);
  expect(formatReport(report, plan.writes, true)).toMatch(/would add.+would replace/);
});

test('shows no table without a valid row', () => {
  const report = importReport({ writes: [], alreadyFinal: [], problems }, []);
  expect(formatReport(report, [], false)).toBe('No valid rows.');
});

test('lists twenty problems by file, and counts all others', () => {
  const [first, ...others] = problems;
  const lines = formatProblems([...(first ? [first, { ...first, file: 'a.ndjson' }] : []), ...others]).split(
    '\n',
  );
  expect([lines[0], lines[1], ...lines.slice(19)]).toEqual([
    ...['stdin:', 'line 1: is bad'],
    ...['line 19: is bad', 'a.ndjson:', 'line 1: is bad', 'and 1,981 more'],
  ]);
});
