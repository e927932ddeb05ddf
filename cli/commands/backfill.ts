import { Command } from 'commander';
import { startBackfill } from '../backfill/start.ts';
import { showBackfills } from '../backfill/status.ts';
import { stopBackfill } from '../backfill/stop.ts';
import { chainOption, chainsOption, dayOption, serviceCommand, withExamples } from '../options.ts';

export const backfillCommand = (): Command =>
  withExamples(
    new Command('backfill')
      .description('Reads many days at once on AWS, by the ingest function of a deployed stage.')
      .addCommand(startCommand())
      .addCommand(statusCommand())
      .addCommand(stopCommand()),
    'backfill start --stage prod --chain ETHEREUM --start-date 2026-01-01 --end-date 2026-06-30',
    'backfill status --stage prod',
    'backfill stop --stage prod --chain ETHEREUM',
  );

/** It has no default: this machine has no Step Functions. */
const stageCommand = (name: string, description: string): Command => serviceCommand(name, description, '');

const startCommand = (): Command =>
  withExamples(
    stageCommand(
      'start',
      'Reads the missing days of a range. Says first what that takes and costs, and asks whether to go on.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--start-date <day>', 'first day').makeOptionMandatory())
      .addOption(dayOption('--end-date <day>', 'last day (default: the last that is finalized)'))
      .option('--yes', 'start without asking', false)
      .action(startBackfill),
    'backfill start --stage prod --chain BASE --start-date 2026-01-01 --end-date 2026-06-30',
    'backfill start --stage prod --chain ETHEREUM --start-date 2015-07-30 --yes --json',
  );

const statusCommand = (): Command =>
  withExamples(
    stageCommand('status', 'Shows how far backfills are, and why days failed.')
      .addOption(chainsOption())
      .action(showBackfills),
    'backfill status --stage prod',
    'backfill status --stage prod --chain BASE --json',
  );

const stopCommand = (): Command =>
  withExamples(
    stageCommand('stop', 'Stops the backfill of a chain. What is read stays.')
      .addOption(chainOption())
      .action(stopBackfill),
    'backfill stop --stage prod --chain BASE',
  );
