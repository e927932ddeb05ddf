import type { Command } from 'commander';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import { type CommonOptions, serviceCommand, withExamples } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgress } from '../progress.ts';
import { type Format, type FormatName, formatOf, formatOption } from '../rows/format.ts';
import { importReport, showProblems, showReport } from '../rows/import-report.ts';
import { type JudgedFile, judgeFile } from '../rows/judge-file.ts';
import { withTitle } from '../rows/line-error.ts';
import { readRows } from '../rows/read-rows.ts';
import { openSource, type Source } from '../rows/source.ts';
import { refreshCoverages, writeDays } from '../rows/write-days.ts';
import type { OperatedService } from '../service.ts';

interface Options extends CommonOptions {
  readonly format?: FormatName;
  readonly skipBad: boolean;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export const importCommand = (): Command =>
  withExamples(
    serviceCommand(
      'import',
      'Puts the days of a file that export wrote into the table, once every row is checked.',
    )
      .argument('<file>', 'the file to read, or - for stdin')
      .addOption(formatOption())
      .option(
        '--skip-bad',
        'leave bad rows out; without it, nothing is written from a file that has one',
        false,
      )
      .option('--replace', 'put days in the place of those that are final with something else', false)
      .option('--dry-run', 'check everything, and write nothing', false)
      .action(importDays),
    'import days.ndjson --dry-run',
    'import backup.csv --stage prod',
    'import - --format csv --skip-bad < days.csv',
  );

async function importDays(file: string, options: Options): Promise<void> {
  const service = await openService(options);
  await using source = await untilStopped(openSource(file, interrupted));
  const format = formatOf(options.format, file);
  const { replace } = options;
  const judged = await untilStopped(
    judgeFile(service.table, source, format, { replace, signal: interrupted }),
  );
  const { writes, problems } = judged;
  if (problems.count > 0) printNote(showProblems(source.title, problems));
  if (problems.count > 0 && !options.skipBad) throw refused(judged, options);
  const written = options.dryRun ? writes : await writeAll(service, source, format, judged);
  const report = importReport(judged, written, problems);
  printResult(options, { written: !options.dryRun, ...report }, showReport(report, written));
  if (options.dryRun) printNote('Nothing was written: this was a dry run.');
  const left = writes.length - written.length;
  if (left > 0) throw interrupted.aborted ? stopped(file, options, service, left) : overtaken(left);
  if (problems.count > 0) process.exitCode = exitCodes.checkFailed;
}

/** What is done before anything is written: Ctrl-C ends it at any moment. */
const untilStopped = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw interrupted.aborted
      ? new CommandError('Stopped: nothing was written.', exitCodes.interrupted)
      : error;
  });

/** Whoever asked for JSON finds more of the problems there than are shown. */
function refused(judged: JudgedFile, options: Options): CommandError {
  const report = importReport(judged, [], judged.problems);
  if (options.json) printResult(options, { written: false, ...report }, '');
  return new CommandError('Nothing was written. Mend these rows, or leave them out with --skip-bad.');
}

/** The second reading, in which the days are written. */
async function writeAll(
  service: OperatedService,
  source: Source,
  format: Format,
  { writes, alreadyFinal }: JudgedFile,
) {
  const progress = startProgress('days written');
  try {
    return await writeDays(service.table, writes, readRows(format, source.open()), {
      signal: interrupted,
      onWritten: (days) => progress.update(days / writes.length, days),
    });
  } catch (error) {
    throw withTitle(source.title, error);
  } finally {
    progress.end();
    // For all of them: an import that ended halfway may have written days of any.
    await refreshCoverages(service, [...writes, ...alreadyFinal]);
  }
}

function stopped(file: string, options: Options, { flags }: OperatedService, left: number): CommandError {
  const { format, skipBad, replace } = options;
  const more = [
    ...(format ? ['--format', format] : []),
    ...(skipBad ? ['--skip-bad'] : []),
    ...(replace ? ['--replace'] : []),
  ];
  return new CommandError(
    `Stopped: ${pluralize(left, 'day')} of the file are not written. To go on: ${commandLine(flags, 'import', file, ...more)}`,
    exitCodes.interrupted,
  );
}

const overtaken = (days: number) =>
  new CommandError(
    `${pluralize(days, 'day')} of the file became final by another run meanwhile, with something else. Import it again to see which.`,
  );
