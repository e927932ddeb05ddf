import type { Manifest } from '../core/backup/export-files.ts';
import { type ChainName, chainNames, chainOf } from '../core/chains/chains.ts';
import { describeScheduled } from '../core/chains/scheduled-fork.ts';
import { countDays, earlier, later, type UtcDay } from '../core/figures/calendar.ts';
import { printable } from '../core/printable.ts';
import { dueConflicts } from '../core/rows/chain-row.ts';
import { listConflicts, subjectOf } from '../core/store/chain/conflicts.ts';
import { getCoverage } from '../core/store/chain/coverage.ts';
import { getSchedule } from '../core/store/chain/schedule.ts';
import { listUnsentEvents } from '../core/store/days/notes.ts';
import { type ChainReader, chainStore, type TableReader } from '../core/store/table/table.ts';
import { type Comparison, compareChain } from './public/compare-days.ts';
import { readPublicDays, readPublicIndex } from './public/read-files.ts';

export interface Exports {
  readonly now: Manifest;
  /** Absent if the day before had no export. */
  readonly before?: Manifest | undefined;
}

type ExportedChain = Manifest['chains'][number];

/**
 * Lists the findings about the stored data of a chain that need a person but raise no alarm, each with the first command to type.
 * @param stage as commands name it
 */
export async function chainFindings(
  store: ChainReader,
  chain: ChainName,
  exports: Exports,
  stage: string,
): Promise<string[]> {
  const [coverage, conflicts, unsent, schedule] = await Promise.all([
    getCoverage(store),
    listConflicts(store),
    listUnsentEvents(store),
    getSchedule(store),
  ]);
  const first = `First: npx --no chain-insights status --stage ${stage} --chain ${chain}`;
  const [event] = unsent;
  return [
    ...exportFindings(chain, exports, coverage?.from_day).map((text) => `${text} ${first}`),
    ...dueConflicts(conflicts, Date.now()).map((conflict) => {
      const since = new Date(conflict.since).toISOString();
      return `${chain} ${subjectOf(conflict)}, since ${since}: ${conflict.reason} ${first}`;
    }),
    // A fork that this version follows needs nobody.
    ...(schedule?.forks ?? [])
      .filter(({ followed }) => !followed)
      .map((fork) => `${chain}: ${describeScheduled(fork)} docs/operate/forks.md ${first}`),
    ...(event
      ? [
          `${chain}: ${plural(unsent.length, 'event')} not sent, the first of ${event.day}. Read unsentEvents in the ingest's log: ` +
            'docs/operate/runbook.md#events-are-not-sent',
        ]
      : []),
  ];
}

/** Time for reading the files of another service, so that a slow one does not take that of the export. */
const COMPARE_MS = 180_000;

/**
 * Lists the chains with days that differ from those of another service. Reads its public files, without a key.
 * @param url of that service
 * @throws Error when its files cannot be read
 */
export async function comparisonFindings(table: TableReader, url: string, stage: string): Promise<string[]> {
  const service = { url, signal: AbortSignal.timeout(COMPARE_MS) };
  const { chains } = await readPublicIndex(service);
  const findings: string[] = [];
  let common = 0;
  for (const files of chains) {
    const chain = chainNames.find((name) => name === files.chain);
    if (!chain) continue;
    const theirs = await readPublicDays(service, files);
    const { equal, differing } = await compareChain(
      chainStore(table, chain),
      chainOf(chain).firstDay,
      theirs,
    );
    common += equal + differing.length;
    const [day] = differing;
    if (day) {
      const first = `First: npx --no chain-insights compare --stage ${stage} --chain ${chain} --with ${url}`;
      findings.push(
        `${chain}: ${plural(differing.length, 'day')} of ${url} differ. ${describe(day)} ${first}`,
      );
    }
  }
  return common > 0 ? findings : [`${url} has no final day that this service could compare: compareWith.`];
}

const MAX_CELL = 80;

/** Describes a day that differs by its first part. The other service may have written anything there. */
function describe({ date, parts, evidence }: Comparison['differing'][number]): string {
  const all = Object.entries({ ...parts, evidence }).filter(
    ([name], index) => index === 0 || name === 'evidence',
  );
  const texts = all.map(([name, { here, there }]) => {
    const text = printable(there).slice(0, MAX_CELL);
    return `${name} ${here || 'none'} here, ${text || 'none'} there`;
  });
  return `${date}: ${texts.join('; ')}.`;
}

export const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Returns whether an export has fewer days than the one before, and whether older days stay missing. */
export function exportFindings(chain: ChainName, { now, before }: Exports, from?: UtcDay): string[] {
  const of = ({ chains }: Manifest) => chains.find((one) => one.chain === chain);
  const [today, yesterday] = [of(now), before && of(before)];
  const days = today?.days ?? 0;
  const shrank =
    yesterday && days < yesterday.days
      ? [`${chain}: the export shrank from ${yesterday.days} to ${plural(days, 'day')}.`]
      : [];
  if (!today || !yesterday || from === undefined) return shrank;
  const start = later(from, chainOf(chain).firstDay);
  const missing = missingDays(today, start);
  // While a chain catches up, fewer are missing each day.
  if (missing === 0 || missing < missingDays(yesterday, start)) return shrank;
  return [...shrank, `${chain}: ${plural(missing, 'day')} before ${today.last_day} still missing.`];
}

/** Counts the days that are missing between the first day to ingest and the last final day. */
function missingDays({ days, first_day: first, last_day: last }: ExportedChain, from: UtcDay): number {
  return first === undefined || last === undefined ? 0 : countDays(earlier(from, first), last) - days;
}
