import { collectProblems, KEPT, withMore } from '../../../cli/rows/problems.ts';

test('all are counted, and the first thousand kept', () => {
  const problems = collectProblems();
  for (let line = 1; line <= KEPT + 5; line++) problems.add(line, 'is bad');
  const { count, first } = problems.all();
  expect(count).toBe(1_005);
  expect(first).toHaveLength(1_000);
  expect(first.at(-1)).toEqual({ line: 1_000, problem: 'is bad' });
});

test('more of them come in the order of lines, and still no more than a thousand', () => {
  const first = Array.from({ length: KEPT }, (_, index) => ({ line: 2 * index, problem: 'a' }));
  const all = withMore({ count: 9_000, first }, [
    { line: 3_000, problem: 'b' },
    { line: 1, problem: 'c' },
  ]);
  expect(all.count).toBe(9_002);
  expect(all.first).toHaveLength(1_000);
  expect(all.first.slice(0, 3).map(({ line }) => line)).toEqual([0, 1, 2]);
  expect(all.first.at(-1)).toEqual({ line: 1_996, problem: 'a' });
});
