import type { ChainName } from '../../lambda/chains/chains.ts';
import { earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { formatCount, formatTable } from '../print.ts';
import { partsOfDay } from '../verify/compare.ts';
import { changesOf } from './changes.ts';
import type { FileDay, Judgement, Write } from './check-file.ts';
import type { Problem, Problems } from './problems.ts';

/** What an import did, or would do. */
export interface ImportReport {
  readonly chains: readonly ChainImport[];
  readonly replaced_days: readonly object[];
  /** How many there are in all. */
  readonly problem_count: number;
  /** The first thousand of them. */
  readonly problems: readonly Problem[];
}

interface ChainImport {
  readonly chain: ChainName;
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  /** Days that were not there. */
  readonly added: number;
  readonly replaced: number;
  readonly already_final: number;
}

/**
 * @param written those of the days to be written that were
 * @param problems of all the file
 */
export function importReport(
  { alreadyFinal }: Pick<Judgement, 'alreadyFinal'>,
  written: readonly Write[],
  problems: Problems,
): ImportReport {
  const done = Map.groupBy([...written, ...alreadyFinal], ({ chain }) => chain);
  const there = new Set<FileDay>(alreadyFinal);
  return {
    chains: [...done].map(([chain, days]) => chainImport(chain, days, there)),
    replaced_days: written.flatMap(({ chain, figures, stored }) =>
      stored ? [{ chain, date: figures.day, old: partsOfDay(stored.figures), new: partsOfDay(figures) }] : [],
    ),
    problem_count: problems.count,
    problems: problems.first,
  };
}

function chainImport(
  chain: ChainName,
  days: readonly (FileDay | Write)[],
  there: ReadonlySet<FileDay>,
): ChainImport {
  const dates = days.map(({ figures }) => figures.day);
  const replaced = days.filter((day) => !there.has(day) && 'stored' in day && day.stored).length;
  const already = days.filter((day) => there.has(day)).length;
  return {
    chain,
    start_date: dates.reduce(earlier),
    end_date: dates.reduce(later),
    added: days.length - replaced - already,
    replaced,
    already_final: already,
  };
}

/** The report for people. */
export function showReport({ chains }: ImportReport, written: readonly Write[]): string {
  const rows = chains.map(({ chain, start_date, end_date, added, replaced, already_final }) => {
    return [chain, start_date, end_date, added, replaced, already_final];
  });
  const changes = written.flatMap(({ chain, figures, stored }) =>
    stored ? [`${chain} ${figures.day}: ${changesOf(stored.figures, figures)}`] : [],
  );
  const table = formatTable(['chain', 'first', 'last', 'added', 'replaced', 'already final'], rows);
  return [table, ...(changes.length > 0 ? [changes.join('\n')] : [])].join('\n\n');
}

const SHOWN = 20;

/** What is wrong in a file, line by line, as far as a person would read. */
export function showProblems(title: string, problems: Problems): string {
  const shown = problems.first.slice(0, SHOWN);
  const lines = shown.map(({ line, problem }) => `line ${line}: ${problem}`);
  const more = problems.count - shown.length;
  return [`${title}:`, ...lines, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join('\n');
}
