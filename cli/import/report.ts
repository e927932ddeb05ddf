import type { ChainName } from '../../lambda/chains/chains.ts';
import { earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { formatCount, formatTable } from '../print.ts';
import { partsOfDay } from '../verify/compare.ts';
import type { FileDay } from './day-digest.ts';
import { describeChanges, type PlannedWrite, type WritePlan } from './plan-writes.ts';
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
  const byChain = Map.groupBy([...written, ...alreadyFinal], ({ chain }) => chain);
  const unchanged = new Set<FileDay>(alreadyFinal);
  return {
    chains: [...byChain].map(([chain, days]) => chainImport(chain, days, unchanged)),
    replaced_days: written.flatMap(({ chain, figures, stored }) =>
      stored ? [{ chain, date: figures.day, old: partsOfDay(stored.figures), new: partsOfDay(figures) }] : [],
    ),
    problem_count: problems.count,
    problems: problems.first,
  };
}

function chainImport(
  chain: ChainName,
  days: readonly (FileDay | PlannedWrite)[],
  unchanged: ReadonlySet<FileDay>,
): ChainImport {
  const dates = days.map(({ figures }) => figures.day);
  const replaced = days.filter((day) => !unchanged.has(day) && 'stored' in day && day.stored).length;
  const alreadyFinal = days.filter((day) => unchanged.has(day)).length;
  return {
    chain,
    start_date: dates.reduce(earlier),
    end_date: dates.reduce(later),
    added: days.length - replaced - alreadyFinal,
    replaced,
    already_final: alreadyFinal,
  };
}

export function formatReport({ chains }: ImportReport, written: readonly PlannedWrite[]): string {
  const rows = chains.map(({ chain, start_date, end_date, added, replaced, already_final }) => {
    return [chain, start_date, end_date, added, replaced, already_final];
  });
  const changes = written.flatMap(({ chain, figures, stored }) =>
    stored ? [`${chain} ${figures.day}: ${describeChanges(stored.figures, figures)}`] : [],
  );
  const table = formatTable(['chain', 'first', 'last', 'added', 'replaced', 'already final'], rows);
  return [...(changes.length > 0 ? [changes.join('\n')] : []), table].join('\n\n');
}

const LISTED_PROBLEMS = 20;

export function formatProblems(file: string, problems: RowProblems): string {
  const listed = problems.first.slice(0, LISTED_PROBLEMS);
  const lines = listed.map(({ line, problem }) => `line ${line}: ${problem}`);
  const others = problems.count - listed.length;
  return [`${file}:`, ...lines, ...(others > 0 ? [`and ${formatCount(others)} more`] : [])].join('\n');
}
