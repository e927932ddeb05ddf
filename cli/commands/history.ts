import { Command } from 'commander';
import { findService } from '../find-service.ts';
import { type ImportOptions, importArchive } from '../history/import.ts';
import {
  chainOption,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  validateRpcUrls,
  withExamples,
} from '../options.ts';

export const historyCommand = (): Command =>
  withExamples(
    new Command('history')
      .description('Gets years of past days from a public archive, and audits them against proofs.')
      .addCommand(importCommand()),
    'history import base-2024.csv --chain BASE --archive dune --query base-2024.sql',
  );

const importCommand = (): Command =>
  withExamples(
    serviceCommand(
      'import',
      'Audits a file of an archive, and publishes its days with the evidence `archived`. Publishes nothing at the first difference.',
    )
      .argument('<file>', 'CSV or NDJSON, a row for each range of blocks (docs/history.md)')
      .addOption(chainOption())
      .requiredOption('--archive <name>', 'name of the archive, which everyone with a key can read')
      .option('--query <file>', 'file with the query, whose SHA-256 is stored')
      .option('--ranges <number>', 'ranges to draw and compare', readInteger(1, 100_000), 300)
      .option('--days <number>', 'whole days to draw and compare as well', readInteger(0, 10_000), 0)
      .option('--confidence <percent>', 'confidence of the sentence in the report', readInteger(50, 99), 95)
      .addOption(rpcUrlOption('read only these endpoints (default: those of the service)'))
      .option('--dry-run', 'check form, sums and controls, ask no node and publish nothing', false)
      .action(importFile),
    'history import base-2024.csv --chain BASE --archive dune --query base-2024.sql',
    'history import bsc.ndjson --chain BSC --archive dune --ranges 60 --dry-run',
    'history import polygon.csv --stage prod --chain POLYGON --archive bigquery --confidence 99',
  );

async function importFile(file: string, options: ImportOptions): Promise<void> {
  if (options.rpcUrl) validateRpcUrls(options.rpcUrl);
  return importArchive(await findService(options), file, options);
}
