import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportDays } from '../../core/backup/export-table.ts';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { Table } from '../../core/store/table/table.ts';
import { type CountedRange, formatRange } from '../day-ranges.ts';
import { interrupted, orStopped, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { writeTextAtomically } from '../import/files.ts';
import { type ChainsOptions, chainsOption, type DayOptions, dayOption, serviceCommand } from '../options.ts';
import { pluralize, printNote, printResult } from '../print.ts';

interface Options extends ChainsOptions, DayOptions {
  readonly output?: string;
}

type ChainExport = CountedRange & { readonly chain: ChainName };

export const exportCommand = () =>
  serviceCommand(
    'export',
    'Writes the final days, with everything that is stored about them, as a file for import.',
    ['export --output days.ndjson', 'export --stage prod --output backup.ndjson'],
  )
    .addOption(chainsOption('only these chains (default: all in the table)'))
    .addOption(dayOption('--start-date <day>', 'first day (default: first final day)'))
    .addOption(dayOption('--end-date <day>', 'last day (default: last final day)'))
    .option('--output <file>', 'file to write, replaced atomically (default: stdout)')
    .action(writeExport);

async function writeExport(options: Options): Promise<void> {
  const { output, json } = options;
  if (json && output === undefined) {
    throw usageError('--json without --output: both would write to stdout. Add --output <file>.');
  }
  const { table } = await findService(options);
  const chains: ChainExport[] = [];
  const text = linesOf(table, options, chains);
  await orStopped(
    output === undefined
      ? pipeline(Readable.from(text), process.stdout, { signal: interrupted })
      : writeTextAtomically(output, text, interrupted),
    `Stopped. ${output === undefined ? 'The output is incomplete' : `${output} is unchanged`}; run the command again.`,
  );
  const summary = chains.map(
    ({ chain, days, ...range }) => `${chain}: ${pluralize(days, 'day')}, ${formatRange(range)}`,
  );
  printNote(summary.join('\n') || 'No final days in this range: the output is empty.');
  if (json) printResult(options, { file: output, chains }, '');
}

/** Reads all known chains: the table keeps the days of a disabled one. @param exported receives those with days */
async function* linesOf(
  table: Table,
  { chain: chosen, startDate, endDate }: Options,
  exported: ChainExport[],
): AsyncGenerator<string> {
  for (const chain of chainNames.filter((name) => chosen?.includes(name) ?? true)) {
    const { text, days, first_day, last_day } = await exportDays(table, chain, startDate, endDate);
    if (first_day === undefined || last_day === undefined) continue;
    exported.push({ chain, start_date: first_day, end_date: last_day, days });
    yield text;
  }
}
