import { earlier, later } from '../../core/figures/calendar.ts';
import { describeChanges, partsOfDay } from '../../core/store/days/compare-figures.ts';
import { figuresOf } from '../../core/store/days/day-item.ts';
import { formatCount, formatTable } from '../print.ts';
import type { PlannedWrite, WritePlan } from './plan-writes.ts';
import { dayId, type RowProblem } from './validate-rows.ts';

const REPORTED_PROBLEMS = 1_000;
const LISTED_PROBLEMS = 20;

/**
 * Returns the JSON document of an import or a dry run.
 * @param written in a dry run, the days that would be written
 */
export function importReport({ alreadyFinal, problems }: WritePlan, written: readonly PlannedWrite[]) {
  const days = [
    ...written.map(({ day, stored }) => ({ day, state: stored ? 'replaced' : 'added' })),
    ...alreadyFinal.map(({ day }) => ({ day, state: 'already final' })),
  ];
  return {
    chains: [...Map.groupBy(days, ({ day }) => day.chain)].map(([chain, ofChain]) => {
      const dates = ofChain.map(({ day }) => day.date);
      const count = (state: string) => ofChain.filter((found) => found.state === state).length;
      return {
        chain,
        start_date: dates.reduce(earlier),
        end_date: dates.reduce(later),
        added: count('added'),
        replaced: count('replaced'),
        already_final: count('already final'),
      };
    }),
    replaced_days: replacedIn(written).map(({ day, old, now }) => ({
      chain: day.chain,
      date: day.date,
      old: partsOfDay(old),
      new: partsOfDay(now),
    })),
    problem_count: problems.length,
    problems: problems.slice(0, REPORTED_PROBLEMS),
  };
}

const replacedIn = (written: readonly PlannedWrite[]) =>
  written.flatMap(({ day, stored }) =>
    stored ? [{ day, old: figuresOf(stored), now: figuresOf(day) }] : [],
  );

export function formatReport(
  { chains }: ReturnType<typeof importReport>,
  written: readonly PlannedWrite[],
  isDryRun: boolean,
): string {
  if (chains.length === 0) return 'No valid rows.';
  const changes = replacedIn(written).map(
    ({ day, old, now }) => `${dayId(day)}: ${describeChanges(old, now) || 'equal figures, other provenance'}`,
  );
  const actions = isDryRun ? ['would add', 'would replace'] : ['added', 'replaced'];
  const table = formatTable(
    ['chain', 'first', 'last', ...actions, 'already final'],
    chains.map((counts) => Object.values(counts)),
  );
  return [...(changes.length > 0 ? [changes.join('\n')] : []), table].join('\n\n');
}

export function formatProblems(file: string, problems: readonly RowProblem[]): string {
  const lines = problems.slice(0, LISTED_PROBLEMS).map(({ line, problem }) => `line ${line}: ${problem}`);
  const others = problems.length - lines.length;
  return [`${file}:`, ...lines, ...(others > 0 ? [`and ${formatCount(others)} more`] : [])].join('\n');
}
