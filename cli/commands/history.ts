import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { findService } from '../find-service.ts';
import { type ArchiveName, archiveNames } from '../history/dialects.ts';
import { type ImportOptions, importArchive } from '../history/import.ts';
import { planHistory, showWays } from '../history/plan.ts';
import { archiveQuery } from '../history/query.ts';
import { refuseUnproven } from '../history/unproven-days.ts';
import {
  type ChainsOptions,
  chainOption,
  chainsOption,
  createCommand,
  dayOption,
  readInteger,
  serviceCommand,
} from '../options.ts';
import { printResult } from '../print.ts';
import { chainsOf } from '../service.ts';

export const historyCommand = (): Command =>
  createCommand('history', 'Gets years of past days from a public archive, and audits them against proofs.', [
    'history plan',
    'history query --chain BASE --archive dune --start-date 2024-01-01 --end-date 2024-06-30 > base-2024.sql',
    'history import base-2024.csv --chain BASE --archive dune --query base-2024.sql',
  ])
    .addCommand(planCommand())
    .addCommand(queryCommand())
    .addCommand(importCommand());

const planCommand = (): Command =>
  serviceCommand(
    'plan',
    'Shows the ways to the days before the first stored one, with calls, time and money.',
    ['history plan', 'history plan --stage prod --chain BASE'],
  )
    .addOption(chainsOption())
    .action(async (options: ChainsOptions) => {
      const chains = chainsOf(await findService(options), options.chain);
      const ways = (await Promise.all(chains.map(planHistory))).flat();
      printResult(options, ways, showWays(ways));
    });

const queryCommand = (): Command =>
  createCommand(
    'query',
    'Prints the query that makes a file for `history import`, with the rules of the chain.',
    ['history query --chain BASE --archive dune --start-date 2024-01-01 --end-date 2024-06-30'],
  )
    .addOption(chainOption())
    .addOption(new Option('--archive <name>', 'where to run it').choices(archiveNames).makeOptionMandatory())
    .addOption(dayOption('--start-date <day>', 'first day').makeOptionMandatory())
    .addOption(dayOption('--end-date <day>', 'last day').makeOptionMandatory())
    .action(({ chain, archive, startDate, endDate }: QueryOptions) => {
      const query = archiveQuery(chainOf(chain), archive, startDate, endDate);
      refuseUnproven(chain, startDate, endDate);
      process.stdout.write(query);
    });

interface QueryOptions {
  readonly chain: ChainName;
  readonly archive: ArchiveName;
  readonly startDate: UtcDay;
  readonly endDate: UtcDay;
}

function readArchive(name: string): string {
  if (/^[\w.-]{1,100}$/.test(name)) return name;
  throw new InvalidArgumentError('Expected up to 100 letters, digits and . _ -.');
}

const importCommand = (): Command =>
  serviceCommand(
    'import',
    'Audits a file of an archive, and publishes its days with the evidence `archived`. Publishes nothing at the first difference.',
    [
      'history import base-2024.csv --chain BASE --archive dune --query base-2024.sql',
      'history import polygon.csv --stage prod --chain POLYGON --archive bigquery --confidence 99',
    ],
  )
    .argument('<file>', 'CSV or NDJSON, a row for each range of blocks (docs/history.md)')
    .addOption(chainOption())
    .requiredOption(
      '--archive <name>',
      'name of the archive, which everyone with a key can read',
      readArchive,
    )
    .option('--query <file>', 'file with the query, whose SHA-256 is stored')
    .option('--ranges <number>', 'ranges to draw and compare', readInteger(1, 100_000), 300)
    .option('--days <number>', 'complete days to draw and compare as well', readInteger(0, 10_000), 0)
    .option('--confidence <percent>', 'confidence of the sentence in the report', readInteger(50, 99), 95)
    .option('--dry-run', 'check format and sums, ask no node and publish nothing', false)
    .action(async (file: string, options: ImportOptions) =>
      importArchive(await findService(options), file, options),
    );
