import { describeChanges, partsOfDay } from '../../core/store/days/compare-figures.ts';
import { figuresOf } from '../../core/store/days/day-item.ts';
import { formatCount, formatTable } from '../print.ts';
import type { PlannedWrite, WritePlan } from './stored-days.ts';
import { dayId, type FileDay, type RowProblem } from './validate-rows.ts';

const REPORTED_PROBLEMS = 1_000;
const LISTED_PROBLEMS = 20;

/**
 * Returns the JSON document of an import or a dry run.
 * @param written in a dry run, the days that would be written
 */
export function importReport({ alreadyFinal, problems }: WritePlan, written: readonly PlannedWrite[]) {
  const [replaced, added] = [written.filter(({ stored }) => stored), written.filter(({ stored }) => !stored)];
  const byChain = Map.groupBy([...written, ...alreadyFinal], ({ day }) => day.chain);
  return {
    chains: [...byChain].map(([chain, days]) => {
      const dates = days.map(({ day }) => day.date).toSorted();
      const count = (of: readonly FileDay[]) => of.filter(({ day }) => day.chain === chain).length;
      return {
        chain,
        start_date: dates[0] ?? '',
        end_date: dates.at(-1) ?? '',
        added: count(added),
        replaced: count(replaced),
        already_final: count(alreadyFinal),
      };
    }),
    replaced_days: replaced.map(({ day, stored }) => ({
      chain: day.chain,
      date: day.date,
      old: stored && partsOfDay(figuresOf(stored)),
      new: partsOfDay(figuresOf(day)),
    })),
    problem_count: problems.length,
    problems: problems.slice(0, REPORTED_PROBLEMS),
  };
}

export function formatReport(
  { chains }: ReturnType<typeof importReport>,
  written: readonly PlannedWrite[],
  isDryRun: boolean,
): string {
  if (chains.length === 0) return 'No valid rows.';
  const changes = written.flatMap(({ day, stored }) => {
    const parts = stored && describeChanges(figuresOf(stored), figuresOf(day));
    return stored ? [`${dayId(day)}: ${parts || 'equal figures, other provenance'}\n`] : [];
  });
  const actions = isDryRun ? ['would add', 'would replace'] : ['added', 'replaced'];
  const head = ['chain', 'first', 'last', ...actions, 'already stored'];
  const rows = chains.map((counts) => Object.values(counts));
  return `${changes.join('')}${changes.length > 0 ? '\n' : ''}${formatTable(head, rows)}`;
}

/** Lists the first problems, below the names of their files. */
export function formatProblems(problems: readonly RowProblem[]): string {
  const listed = Map.groupBy(problems.slice(0, LISTED_PROBLEMS), ({ file }) => file);
  const lines = [...listed].flatMap(([file, own]) => [
    `${file}:`,
    ...own.map(({ line, problem }) => `line ${line}: ${problem}`),
  ]);
  const others = problems.length - LISTED_PROBLEMS;
  return [...lines, ...(others > 0 ? [`and ${formatCount(others)} more`] : [])].join('\n');
}
