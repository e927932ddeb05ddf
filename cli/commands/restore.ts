import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { type CommonOptions, chainsOption, serviceCommand, withExamples } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { openExport } from '../restore/export-folder.ts';
import { type ExportedChain, readExport } from '../restore/read-export.ts';
import { formatResults, isComplete, type RestoredChain, resultOf } from '../restore/report.ts';
import {
  type Comparison,
  compareChain,
  countOwnDays,
  finishChain,
  writeMissing,
} from '../restore/restore-chains.ts';
import type { OperatedService } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly merge: boolean;
}

export const restoreCommand = (): Command =>
  withExamples(
    serviceCommand(
      'restore',
      'Writes the days of a daily export into an empty table, after verifying its files, and compares them.',
    )
      .argument('<export>', 's3://bucket/exports/<day>, or a folder with a copy of it')
      .addOption(chainsOption('only these chains (default: all of the export)'))
      .option('--merge', 'add the missing days to a table that has others', false)
      .action(restore),
    'restore s3://example-exports/exports/2026-11-21 --stage prod',
    'restore ./2026-11-21 --chain BASE --merge',
  );

/** An exported chain, and what the table had of it. */
interface Planned {
  readonly exported: ExportedChain;
  readonly before: Comparison;
}

async function restore(place: string, options: Options): Promise<void> {
  const service = await findService(options);
  const chains = await readExport(place, openExport(place, await regionOf(options)), options.chain);
  const plan: Planned[] = [];
  for (const exported of chains) {
    plan.push({ exported, before: await compareChain(service.table, exported) });
  }
  if (!options.merge) checkTarget(service, place, options, plan);
  await orStopped(write(service, plan), `Stopped. To continue: ${againLine(service, place, options)}`);
  const results: RestoredChain[] = [];
  for (const { exported, before } of plan) {
    results.push(resultOf(exported, before, await compareChain(service.table, exported)));
  }
  for (const { problems, differing } of results) {
    for (const line of [...problems, ...differing]) printNote(line);
  }
  printResult(options, { export: place, chains: results }, formatResults(results));
  if (!results.every(isComplete)) process.exitCode = exitCodes.checkFailed;
}

async function regionOf({ stage }: Options): Promise<string | undefined> {
  if (stage === undefined) return undefined;
  return (await import('../deployed-service.ts')).configOf(stage).env?.region;
}

const againLine = ({ flags }: OperatedService, place: string, { chain, merge }: Options): string =>
  commandLine(
    flags,
    'restore',
    place,
    ...(chain ? ['--chain', ...chain] : []),
    ...(merge ? ['--merge'] : []),
  );

/** @throws CommandError when the table has final days that do not come from this export */
function checkTarget(
  service: OperatedService,
  place: string,
  options: Options,
  plan: readonly Planned[],
): void {
  const foreign = plan.flatMap(({ exported: { chain }, before }) => {
    const days = countOwnDays(before);
    return days > 0 ? [`${chain} ${pluralize(days, 'day')}`] : [];
  });
  if (foreign.length === 0) return;
  throw new CommandError(
    `Nothing was written: the table of ${service.title} has final days that do not come from this export (${foreign.join(', ')}). ` +
      `To keep them and add the days that are missing: ${againLine(service, place, { ...options, merge: true })}`,
  );
}

async function write(service: OperatedService, plan: readonly Planned[]): Promise<void> {
  const missing = plan.flatMap(({ before }) => before.missing);
  using progress = startProgressBar('days written');
  await writeMissing(service.table, missing, {
    signal: interrupted,
    onWritten: (days) => progress.update(days / missing.length, days),
  });
  for (const { exported, before } of plan) await finishChain(service, exported, before);
}
