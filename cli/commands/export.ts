import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type ChainName, chainNames } from '../../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { readStoredDays, type StoredDay } from '../../lambda/store/stored-days.ts';
import type { Table } from '../../lambda/store/table.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import {
  type CommonOptions,
  chainsOption,
  checkOrder,
  dayOption,
  serviceCommand,
  withExamples,
} from '../options.ts';
import { pluralize, printNote, printResult } from '../print.ts';
import { startProgress } from '../progress.ts';
import { type Format, type FormatName, formatOf, formatOption } from '../rows/format.ts';
import { toRow } from '../rows/row.ts';
import { shareOfDays } from '../rows/share-of-days.ts';
import { writeWhole } from '../rows/whole-file.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
  readonly format?: FormatName;
  readonly output?: string;
}

/** What was written of a chain. */
interface ChainExport {
  readonly chain: ChainName;
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly days: number;
}

export const exportCommand = (): Command =>
  withExamples(
    serviceCommand('export', 'Writes the final days with all that is stored of them, for import to read.')
      .addOption(chainsOption('only these chains (default: all that this version knows)'))
      .addOption(dayOption('--start-date <day>', 'first day to write (default: the first there is)'))
      .addOption(dayOption('--end-date <day>', 'last day to write (default: the last there is)'))
      .addOption(formatOption())
      .option('--output <file>', 'where to write it, once all of it is there (default: stdout)', readName)
      .action(exportDays),
    'export --output days.ndjson',
    'export --chain BASE --start-date 2026-10-01 --end-date 2026-10-31 --format csv',
    'export --stage prod --output backup.csv',
  );

/** An empty one is what a script's variable holds that was never set. */
function readName(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is the name of a file.');
  return value;
}

async function exportDays(options: Options): Promise<void> {
  const { output, json } = options;
  checkOrder(options);
  if (json && output === undefined) {
    throw new CommandError(
      'Both the days and what --json tells of them go to stdout: name a file with --output.',
      exitCodes.usage,
    );
  }
  const { table } = await openService(options);
  const stats = new Map<ChainName, ChainExport>();
  const days = tallied(daysOf(table, options), stats);
  const text = textOf(formatOf(options.format, output), days);
  try {
    if (output !== undefined) await writeWhole(output, text, interrupted);
    else await pipeline(Readable.from(text), process.stdout, { signal: interrupted });
  } catch (error) {
    throw interrupted.aborted ? stopped(output) : error;
  }
  const chains = [...stats.values()];
  printNote(summaryOf(chains));
  if (json) printResult(options, { file: output, chains }, '');
}

const stopped = (output: string | undefined) =>
  new CommandError(
    output === undefined
      ? 'Stopped before all days were written. Run it again for the whole.'
      : `Stopped: ${output} is as it was before. Run it again for the whole.`,
    exitCodes.interrupted,
  );

/** Every chain that can be in the table: one that is no longer ingested has its days all the same. */
async function* daysOf(
  table: Table,
  { chain: chosen, startDate = '0000-01-01', endDate = '9999-12-31', output }: Options,
): AsyncGenerator<StoredDay> {
  const chains = chainNames.filter((name) => chosen?.includes(name) ?? true);
  const isSeen = output === undefined && process.stdout.isTTY;
  const progress = isSeen ? undefined : startProgress('days');
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  let done = 0;
  try {
    for (const [index, chain] of chains.entries()) {
      let first: UtcDay | undefined;
      for await (const day of readStoredDays(chainStore(table, chain), startDate, endDate)) {
        done++;
        first ??= day.date;
        const share = shareOfDays(first, day.date, endDate, yesterday);
        progress?.update((index + share) / chains.length, done, chain);
        yield day;
      }
    }
  } finally {
    progress?.end();
  }
}

async function* tallied(days: AsyncIterable<StoredDay>, stats: Map<ChainName, ChainExport>) {
  for await (const day of days) {
    const { start_date, days: before } = stats.get(day.chain) ?? { start_date: day.date, days: 0 };
    stats.set(day.chain, { chain: day.chain, start_date, end_date: day.date, days: before + 1 });
    yield day;
  }
}

async function* textOf({ header, encode }: Format, days: AsyncIterable<StoredDay>): AsyncGenerator<string> {
  if (header) yield header;
  for await (const day of days) yield encode(toRow(day));
}

const summaryOf = (chains: readonly ChainExport[]): string =>
  chains
    .map(
      ({ chain, days, start_date, end_date }) =>
        `${chain}: ${pluralize(days, 'day')}, ${start_date} to ${end_date}`,
    )
    .join('\n') || 'No day is final there: nothing to write.';
