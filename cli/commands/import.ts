import type { Command } from 'commander';
import { dayOf } from '../../lambda/chains/utc-day.ts';
import type { Table } from '../../lambda/store/table.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { type CommonOptions, serviceCommand, withExamples } from '../options.ts';
import { counted, printResult, say } from '../print.ts';
import { startProgress } from '../progress.ts';
import { problemsOf } from '../rows/check-day.ts';
import { type FileDay, type Judgement, judge, type Problem } from '../rows/check-file.ts';
import { type Format, type FormatName, formatOf, formatOption } from '../rows/format.ts';
import { importReport, showProblems, showReport } from '../rows/import-report.ts';
import { knownDay, readKnownDays } from '../rows/known-days.ts';
import { readRows } from '../rows/read-rows.ts';
import { openSource, type Source } from '../rows/source.ts';
import { refreshCoverages, writeDays } from '../rows/write-days.ts';
import { openService, type Service } from '../service.ts';

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
  const format = formatOf(options.format, file);
  await using source = await openSource(file, interrupted).catch((error: unknown) => {
    throw interrupted.aborted ? stoppedEarly() : error;
  });
  const judgement = await judgeFile(service.table, source, format, options);
  const { writes, problems } = judgement;
  if (problems.length > 0) say(showProblems(file, problems));
  if (problems.length > 0 && !options.skipBad) throw refused(judgement, options);
  const written = options.dryRun ? writes : await writeAll(service, source, format, judgement);
  const report = importReport(judgement, written);
  printResult(options, { written: !options.dryRun, ...report }, showReport(report, written));
  if (options.dryRun) say('Nothing was written: this was a dry run.');
  const left = writes.length - written.length;
  if (left > 0) throw interrupted.aborted ? stopped(file, options, service, left) : overtaken(left);
  if (problems.length > 0) process.exitCode = exitCodes.unwell;
}

/** Whoever asked for JSON finds all problems there, and not only those that are shown. */
function refused(judgement: Judgement, options: Options): CommandError {
  if (options.json) printResult(options, { written: false, ...importReport(judgement, []) }, '');
  return new CommandError('Nothing was written. Mend these rows, or leave them out with --skip-bad.');
}

/** The first reading: every row is checked by itself, against the others, and against the table. */
async function judgeFile(table: Table, source: Source, format: Format, options: Options): Promise<Judgement> {
  const { days, problems } = await readAll(source, format);
  const progress = startProgress('days compared');
  try {
    const stored = await readKnownDays(table, days, progress.update);
    const judgement = judge(days, stored, options);
    const all = [...problems, ...judgement.problems].toSorted((a, b) => a.line - b.line);
    return { ...judgement, problems: all };
  } finally {
    progress.end();
  }
}

async function readAll(source: Source, format: Format) {
  const today = dayOf(Date.now() / 1_000);
  const days: FileDay[] = [];
  const problems: Problem[] = [];
  const progress = startProgress('rows checked');
  const text = source.open();
  let rows = 0;
  try {
    for await (const { line, ...row } of readRows(format, text)) {
      if (interrupted.aborted) throw stoppedEarly();
      const found = 'day' in row ? problemsOf(row.day, today) : row.problems;
      problems.push(...found.map((problem) => ({ line, problem })));
      if ('day' in row && found.length === 0) days.push({ line, ...knownDay(row.day) });
      progress.update(text.bytesRead / source.size, ++rows);
    }
  } finally {
    progress.end();
  }
  return { days, problems };
}

/** The second reading, in which the days are written. */
async function writeAll(
  service: Service,
  source: Source,
  format: Format,
  { writes, alreadyFinal }: Judgement,
) {
  const progress = startProgress('days written');
  try {
    return await writeDays(service.table, writes, readRows(format, source.open()), {
      signal: interrupted,
      onWritten: (days) => progress.update(days / writes.length, days),
    });
  } finally {
    progress.end();
    // For all of them: an import that ended halfway may have written days of any.
    await refreshCoverages(
      service,
      [...writes, ...alreadyFinal].map(({ chain }) => chain),
    );
  }
}

const stoppedEarly = () => new CommandError('Stopped: nothing was written.', exitCodes.interrupted);

function stopped(file: string, options: Options, { flags }: Service, left: number): CommandError {
  const { format, skipBad, replace } = options;
  const more = [
    ...(format ? [` --format ${format}`] : []),
    ...(skipBad ? [' --skip-bad'] : []),
    ...(replace ? [' --replace'] : []),
  ];
  return new CommandError(
    `Stopped: ${counted(left, 'day')} of the file are not written. To go on: npx chain-insights import ${file}${flags}${more.join('')}`,
    exitCodes.interrupted,
  );
}

const overtaken = (days: number) =>
  new CommandError(
    `${counted(days, 'day')} of the file became final by another run meanwhile, with something else. Import it again to see which.`,
  );
