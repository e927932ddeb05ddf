import type { ChainName } from '../../lambda/chains/chains.ts';
import { earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { describeChanges, partsOfDay } from '../../lambda/store/compare-figures.ts';
import { formatCount, formatTable } from '../print.ts';
import type { PlannedWrite, WritePlan } from './plan-writes.ts';
import type { RowProblem, RowProblems } from './validate-rows.ts';

/** The JSON document of an import or a dry run. */
export interface ImportReport {
  readonly chains: readonly ChainImport[];
  readonly replaced_days: readonly object[];
  readonly problem_count: number;
  /** The first thousand. */
  readonly problems: readonly RowProblem[];
}

interface ChainImport {
  readonly chain: ChainName;
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly added: number;
  readonly replaced: number;
  readonly already_final: number;
}

/** @param written in a dry run, the days that would be written */
export function importReport(
  { alreadyFinal }: Pick<WritePlan, 'alreadyFinal'>,
  written: readonly PlannedWrite[],
  problems: RowProblems,
): ImportReport {
  const days = [
    ...written.map((day) => ({ ...day, state: day.stored ? ('replaced' as const) : ('added' as const) })),
    ...alreadyFinal.map((day) => ({ ...day, state: 'already_final' as const })),
  ];
  return {
    chains: [...Map.groupBy(days, ({ chain }) => chain)].map(([chain, ofChain]) => {
      const dates = ofChain.map(({ figures }) => figures.day);
      const count = (state: (typeof days)[number]['state']) =>
        ofChain.filter((day) => day.state === state).length;
      return {
        ...{ chain, start_date: dates.reduce(earlier), end_date: dates.reduce(later) },
        ...{ added: count('added'), replaced: count('replaced'), already_final: count('already_final') },
      };
    }),
    replaced_days: written.flatMap(({ chain, figures, stored }) =>
      stored ? [{ chain, date: figures.day, old: partsOfDay(stored.figures), new: partsOfDay(figures) }] : [],
    ),
    problem_count: problems.count,
    problems: problems.first,
  };
}

export function formatReport(
  { chains }: ImportReport,
  written: readonly PlannedWrite[],
  isDryRun: boolean,
): string {
  if (chains.length === 0) return 'No valid rows.';
  const rows = chains.map(({ chain, start_date, end_date, added, replaced, already_final }) => {
    return [chain, start_date, end_date, added, replaced, already_final];
  });
  const changes = written.flatMap(({ chain, figures, stored }) =>
    stored
      ? [
          `${chain} ${figures.day}: ${describeChanges(stored.figures, figures) || 'equal figures, other provenance'}`,
        ]
      : [],
  );
  const actions = isDryRun ? ['would add', 'would replace'] : ['added', 'replaced'];
  const table = formatTable(['chain', 'first', 'last', ...actions, 'already final'], rows);
  return [...(changes.length > 0 ? [changes.join('\n')] : []), table].join('\n\n');
}

const LISTED_PROBLEMS = 20;

export function formatProblems(file: string, problems: RowProblems): string {
  const listed = problems.first.slice(0, LISTED_PROBLEMS);
  const lines = listed.map(({ line, problem }) => `line ${line}: ${problem}`);
  const others = problems.count - listed.length;
  return [`${file}:`, ...lines, ...(others > 0 ? [`and ${formatCount(others)} more`] : [])].join('\n');
}
