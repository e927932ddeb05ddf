import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { addDays, countDays, dayOf, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { readDaysWithDetails, type StoredDayWithDetails } from '../../core/store/days/stored-days.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import { writeTextAtomically } from '../day-files/files.ts';
import { encodeDay } from '../day-files/ndjson.ts';
import { formatRange } from '../day-ranges.ts';
import { usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import {
  type CommonOptions,
  chainsOption,
  checkOrder,
  dayOption,
  serviceCommand,
  withExamples,
} from '../options.ts';
import { pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
  readonly output?: string;
}

/** The exported days of a chain. */
interface ChainExport {
  readonly chain: ChainName;
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly days: number;
}

export const exportCommand = (): Command =>
  withExamples(
    serviceCommand(
      'export',
      'Writes the final days, with everything that is stored about them, as NDJSON for import.',
    )
      .addOption(chainsOption('only these chains (default: all in the table)'))
      .addOption(dayOption('--start-date <day>', 'first day (default: first final day)'))
      .addOption(dayOption('--end-date <day>', 'last day (default: last final day)'))
      .option('--output <file>', 'file to write, replaced atomically (default: stdout)', readFileName)
      .action(exportDays),
    'export --output days.ndjson',
    'export --chain BASE --start-date 30-days-ago --end-date yesterday > october.ndjson',
    'export --stage prod --output backup.ndjson',
  );

/** Refuses the empty name that an unset variable of a script yields. */
function readFileName(value: string): string {
  if (value === '') throw new InvalidArgumentError('Expected the name of a file.');
  return value;
}

async function exportDays(options: Options): Promise<void> {
  const { output, json } = options;
  checkOrder(options);
  if (json && output === undefined) {
    throw usageError('--json without --output: both would write to stdout. Add --output <file>.');
  }
  const { table } = await findService(options);
  const exported = new Map<ChainName, ChainExport>();
  const text = encodeDays(daysOf(table, options), exported);
  await orStopped(
    output === undefined
      ? pipeline(Readable.from(text), process.stdout, { signal: interrupted })
      : writeTextAtomically(output, text, interrupted),
    `Stopped. ${output === undefined ? 'The output is incomplete' : `${output} is unchanged`}; run the command again.`,
  );
  const chains = [...exported.values()];
  printNote(formatSummary(chains));
  if (json) printResult(options, { file: output, chains }, '');
}

/** Reads all known chains, not only the ingested ones: the table keeps the days of a disabled chain. */
async function* daysOf(
  table: Table,
  { chain: chosen, startDate = '0000-01-01', endDate = '9999-12-31', output }: Options,
): AsyncGenerator<StoredDayWithDetails> {
  const chains = chainNames.filter((name) => chosen?.includes(name) ?? true);
  const isOnTerminal = output === undefined && process.stdout.isTTY;
  using progress = isOnTerminal ? undefined : startProgressBar('days');
  const last = earlier(endDate, addDays(dayOf(Date.now() / 1_000), -1));
  let done = 0;
  for (const [index, chain] of chains.entries()) {
    let first: UtcDay | undefined;
    for await (const stored of readDaysWithDetails(chainStore(table, chain), startDate, endDate)) {
      const { day } = stored;
      done++;
      first ??= day.date;
      const share = countDays(first, day.date) / countDays(first, later(day.date, last));
      progress?.update((index + share) / chains.length, done, chain);
      yield stored;
    }
  }
}

/** Encodes days, and counts them by chain in `exported`. */
async function* encodeDays(days: AsyncIterable<StoredDayWithDetails>, exported: Map<ChainName, ChainExport>) {
  for await (const { day, details } of days) {
    const { start_date, days: before } = exported.get(day.chain) ?? { start_date: day.date, days: 0 };
    exported.set(day.chain, { chain: day.chain, start_date, end_date: day.date, days: before + 1 });
    yield encodeDay({ day, details });
  }
}

const formatSummary = (chains: readonly ChainExport[]): string =>
  chains
    .map(({ chain, days, ...range }) => `${chain}: ${pluralize(days, 'day')}, ${formatRange(range)}`)
    .join('\n') || 'No final days in this range: the output is empty.';
