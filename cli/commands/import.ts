import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { readText } from '../day-files/files.ts';
import { readRows } from '../day-files/ndjson.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { planImport } from '../import/plan-import.ts';
import type { WritePlan } from '../import/plan-writes.ts';
import { formatProblems, formatReport, importReport } from '../import/report.ts';
import { refreshCoverages, writeDays } from '../import/write-days.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { type CommonOptions, serviceCommand, withExamples } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { OperatedService } from '../service.ts';

interface Options extends CommonOptions {
  readonly skipBad?: true;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export const importCommand = (): Command =>
  withExamples(
    serviceCommand(
      'import',
      'Writes the days of an exported file into the table, after validating every row.',
    )
      .argument('<file>', 'NDJSON file to read, or - for stdin')
      .option('--skip-bad', 'skip invalid rows; otherwise one invalid row stops the import')
      .option('--replace', 'replace final days that have other figures', false)
      .option('--dry-run', 'validate without asking endpoints, and write nothing', false)
      .action(importDays),
    'import days.ndjson --dry-run',
    'import backup.ndjson --stage prod',
    'import - --skip-bad < days.ndjson',
  );

async function importDays(file: string, options: Options): Promise<void> {
  const service = await findService(options);
  const rows = readRows(readText(file, interrupted));
  const planning = planImport(service, file, rows, options);
  const plan = await orStopped(planning, 'Stopped. Nothing was written.');
  const { writes, problems, notes } = plan;
  if (problems.length > 0) printNote(formatProblems(file, problems));
  if (problems.length > 0 && !options.skipBad) {
    // The JSON document lists more problems than the terminal shows.
    if (options.json) printResult(options, { written: false, ...importReport(plan, []) }, '');
    throw new CommandError('Nothing was written. Correct these rows, or skip them with --skip-bad.');
  }
  for (const note of notes) printNote(note);
  const written = options.dryRun ? writes : await writeAll(service, plan);
  const report = importReport(plan, written);
  printResult(
    options,
    { written: !options.dryRun, ...report },
    formatReport(report, written, options.dryRun),
  );
  if (options.dryRun) printNote('Dry run: nothing was written.');
  const remaining = writes.length - written.length;
  if (remaining > 0) {
    throw interrupted.aborted ? stopped(file, options, service, remaining) : overtaken(remaining);
  }
  if (problems.length > 0) process.exitCode = exitCodes.checkFailed;
}

const COVERAGE_KEPT_MS = 2_000;

async function writeAll(service: OperatedService, { writes, alreadyFinal }: WritePlan) {
  const replaced = writes.filter(({ stored }) => stored !== undefined);
  if (replaced.length > 0) {
    await refreshCoverages(service, replaced, 'begins');
    // Functions of the API keep the coverage for a second.
    await sleep(COVERAGE_KEPT_MS);
  }
  const progress = startProgressBar('days written');
  try {
    return await writeDays(service.table, writes, {
      signal: interrupted,
      onWritten: (days) => progress.update(days / writes.length, days),
    });
  } finally {
    progress.end();
    // Includes all days: an interrupted import may have written any of them.
    await refreshCoverages(service, [...writes, ...alreadyFinal], 'ends');
  }
}

function stopped(
  file: string,
  { skipBad, replace }: Options,
  { flags }: OperatedService,
  remaining: number,
): CommandError {
  const given = [...(skipBad ? ['--skip-bad'] : []), ...(replace ? ['--replace'] : [])];
  return new CommandError(
    `Stopped: ${pluralize(remaining, 'day')} of the file not written. To continue: ${commandLine(flags, 'import', file, ...given)}`,
    exitCodes.interrupted,
  );
}

const overtaken = (days: number) =>
  new CommandError(
    `Another writer changed ${pluralize(days, 'day')} of the file during the import. Import the file again to see which.`,
  );
