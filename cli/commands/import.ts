import type { Command } from 'commander';
import { readRows, withFileName } from '../day-files/ndjson.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { type InputFile, openInputFile } from '../import/input-file.ts';
import { formatProblems, formatReport, importReport } from '../import/report.ts';
import { type ValidatedFile, validateFile } from '../import/validate-file.ts';
import { refreshCoverages, writeDays } from '../import/write-days.ts';
import { interrupted, orStopped } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import { type CommonOptions, serviceCommand, withExamples } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgress } from '../progress.ts';
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
      .option('--dry-run', 'validate everything and write nothing', false)
      .action(importDays),
    'import days.ndjson --dry-run',
    'import backup.ndjson --stage prod',
    'import - --skip-bad < days.ndjson',
  );

const STOPPED = 'Stopped. Nothing was written.';

async function importDays(path: string, options: Options): Promise<void> {
  const service = await openService(options);
  await using file = await orStopped(openInputFile(path, interrupted), STOPPED);
  const { replace } = options;
  const validated = await orStopped(
    validateFile(service.table, file, { replace, signal: interrupted }),
    STOPPED,
  );
  const { writes, problems } = validated;
  if (problems.count > 0) printNote(formatProblems(file.name, problems));
  if (problems.count > 0 && !options.skipBad) throw refused(validated, options);
  const written = options.dryRun ? writes : await writeAll(service, file, validated);
  const report = importReport(validated, written, problems);
  printResult(
    options,
    { written: !options.dryRun, ...report },
    formatReport(report, written, options.dryRun),
  );
  if (options.dryRun) printNote('Dry run: nothing was written.');
  const remaining = writes.length - written.length;
  if (remaining > 0) {
    throw interrupted.aborted ? stopped(path, options, service, remaining) : overtaken(remaining);
  }
  if (problems.count > 0) process.exitCode = exitCodes.checkFailed;
}

/** The JSON document lists more problems than the terminal shows, so it is printed before the error. */
function refused(validated: ValidatedFile, options: Options): CommandError {
  const report = importReport(validated, [], validated.problems);
  if (options.json) printResult(options, { written: false, ...report }, '');
  return new CommandError('Nothing was written. Correct these rows, or skip them with --skip-bad.');
}

/** Reads the file a second time and writes its days. */
async function writeAll(service: OperatedService, file: InputFile, { writes, alreadyFinal }: ValidatedFile) {
  const progress = startProgress('days written');
  try {
    return await writeDays(service.table, writes, readRows(file.open()), {
      signal: interrupted,
      onWritten: (days) => progress.update(days / writes.length, days),
    });
  } catch (error) {
    throw withFileName(file.name, error);
  } finally {
    progress.end();
    // Includes all days: an interrupted import may have written any of them.
    await refreshCoverages(service, [...writes, ...alreadyFinal]);
  }
}

function stopped(
  path: string,
  { skipBad, replace }: Options,
  { flags }: OperatedService,
  remaining: number,
): CommandError {
  const given = [...(skipBad ? ['--skip-bad'] : []), ...(replace ? ['--replace'] : [])];
  return new CommandError(
    `Stopped: ${pluralize(remaining, 'day')} of the file not written. To continue: ${commandLine(flags, 'import', path, ...given)}`,
    exitCodes.interrupted,
  );
}

const overtaken = (days: number) =>
  new CommandError(
    `Another writer changed ${pluralize(days, 'day')} of the file during the import. Import the file again to see which.`,
  );
