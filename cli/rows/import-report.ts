import type { ChainName } from '../../lambda/chains/chains.ts';
import { earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { tableOf } from '../print.ts';
import { partsOfDay } from '../verify/compare.ts';
import { changesOf } from './changes.ts';
import type { FileDay, Judgement, Problem, Write } from './check-file.ts';

/** What an import did, or would do. */
export interface ImportReport {
  readonly chains: readonly ChainImport[];
  readonly replaced_days: readonly object[];
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

/** @param written those of the days to be written that were */
export function importReport({ alreadyFinal, problems }: Judgement, written: readonly Write[]): ImportReport {
  const done = Map.groupBy([...written, ...alreadyFinal], ({ chain }) => chain);
  const there = new Set<FileDay>(alreadyFinal);
  return {
    chains: [...done].map(([chain, days]) => chainImport(chain, days, there)),
    replaced_days: written.flatMap(({ chain, figures, stored }) =>
      stored ? [{ chain, date: figures.day, old: partsOfDay(stored.figures), new: partsOfDay(figures) }] : [],
    ),
    problems,
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
  const table = tableOf(['chain', 'first', 'last', 'added', 'replaced', 'already final'], rows);
  return [table, ...(changes.length > 0 ? [changes.join('\n')] : [])].join('\n\n');
}

const SHOWN = 20;

/** What is wrong in a file, line by line, as far as a person would read. */
export function showProblems(file: string, problems: readonly Problem[]): string {
  const lines = problems.slice(0, SHOWN).map(({ line, problem }) => `line ${line}: ${problem}`);
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  return [`${file}:`, ...lines, ...more].join('\n');
}
