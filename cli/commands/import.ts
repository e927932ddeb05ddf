import { chainNames } from '../../core/chains/chains.ts';
import { dayOf } from '../../core/figures/calendar.ts';
import { CommandError, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { checkRanges } from '../import/check-ranges.ts';
import { isFolder, nameOfFile, openFolder, readExport, readText } from '../import/files.ts';
import { beginCoverages, decodeOthers, finishChain, foreignDays } from '../import/finish.ts';
import { formatProblems, formatReport, importReport } from '../import/report.ts';
import { compareDays, type PlannedWrite, readStored, writeDays } from '../import/stored-days.ts';
import { dayId, validateRows } from '../import/validate-rows.ts';
import { type ChainsOptions, chainsOption, serviceCommand } from '../options.ts';
import { commandLine, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { OperatedService } from '../service.ts';

interface Options extends ChainsOptions {
  readonly skipBad?: true;
  readonly replace: boolean;
  readonly merge: boolean;
  readonly dryRun: boolean;
}

export const importCommand = () =>
  serviceCommand(
    'import',
    'Writes the days of an exported file into the table, or restores a daily export, after validating every row.',
    [
      'import days.ndjson --dry-run',
      'import - --skip-bad < days.ndjson',
      'import s3://example-exports/exports/2026-11-21 --stage prod',
      'import ./2026-11-21 --chain BASE --merge',
    ],
  )
    .argument(
      '<place>',
      'file to read, or - for stdin; or a daily export: s3://bucket/exports/<day>, or a folder with a copy',
    )
    .addOption(chainsOption('only these chains (default: all of the file or export)'))
    .option('--skip-bad', 'skip invalid rows of a file; otherwise one invalid row stops the import')
    .option('--replace', 'replace final days that have other figures', false)
    .option('--merge', 'add the missing days of a daily export to a table that has others', false)
    .option('--dry-run', 'validate without asking endpoints, and write nothing', false)
    .action(importDays);

async function importDays(place: string, options: Options): Promise<void> {
  const { skipBad, dryRun } = options;
  const service = await findService(options);
  const plan = await orStopped(planImport(service, place, options), 'Stopped. Nothing was written.');
  const { writes, problems, isExport } = plan;
  if (problems.length > 0) printNote(formatProblems(problems));
  if (problems.length > 0 && !isExport && !skipBad) {
    // The JSON document lists more problems than the terminal shows.
    if (options.json) printResult(options, { written: false, ...importReport(plan, []) }, '');
    throw new CommandError(
      'Nothing was written. Correct these rows, or skip them with --skip-bad. --replace replaces final days.',
    );
  }
  const written = dryRun ? writes : await writeAll(service, plan, options);
  const report = importReport(plan, written);
  printResult(options, { written: !dryRun, ...report }, formatReport(report, written, dryRun));
  if (dryRun) printNote('Dry run: nothing was written, and no host was asked.');
  const remaining = writes.length - written.length;
  if (remaining > 0) {
    const why = interrupted.aborted ? 'Stopped' : 'Another writer changed days';
    const again = againLine(service, place, options);
    throw new CommandError(
      `${why}: ${pluralize(remaining, 'day')} of ${place} not written. To continue: ${again}`,
      interrupted.aborted ? exitCodes.interrupted : exitCodes.failed,
    );
  }
  if (problems.length > 0) process.exitCode = exitCodes.checkFailed;
}

/**
 * Validates every row: on its own, against the other rows, and against the table. The days of a file must also follow from each other, and
 * hosts or stored days confirm them.
 * @throws CommandError when there is no row, or when a restore needs --merge
 */
async function planImport(service: OperatedService, place: string, options: Options) {
  const isExport = await isFolder(place);
  const files = isExport
    ? await readExport(place, openFolder(place, service.access?.region), options.chain)
    : [{ file: nameOfFile(place), text: await readText(place, interrupted) }];
  const { rows, others, problems } = validateRows(files, dayOf(Date.now() / 1_000));
  const days = rows.filter(({ day }) => options.chain?.includes(day.chain) ?? true);
  if (rows.length + others.length + problems.length === 0) {
    throw new CommandError(
      `Nothing was written: ${nameOfFile(place)} has no rows. Check how it was created.`,
    );
  }
  const found = new Set([...days.map(({ day }) => day.chain), ...others.map(({ item }) => item.chain)]);
  const chains = chainNames.filter((name) => found.has(name));
  const stored = await readStored(service.table, chains, interrupted);
  const foreign = isExport ? foreignDays(stored, days) : [];
  if (foreign.length > 0 && !options.merge) {
    const again = againLine(service, place, { ...options, merge: true });
    throw new CommandError(
      `Nothing was written: the table of ${service.title} has ${pluralize(foreign.length, 'final day')} that ` +
        `${foreign.length === 1 ? 'does' : 'do'} not come from this export (${foreign.slice(0, 3).map(dayId).join(', ')}, …). ` +
        `To keep them and add the days that are missing: ${again}`,
    );
  }
  const compared = compareDays(days, stored, options.replace);
  const plan = isExport ? compared : await checkRanges(service, compared, stored, !options.dryRun);
  const decoded = decodeOthers(isExport ? others : [], chains);
  const misplaced = (isExport ? [] : others).map(({ file, line, item }) => {
    return { file, line, problem: `${item.date}: only the folder of a daily export restores it` };
  });
  const all = [...problems, ...misplaced, ...decoded.problems, ...plan.problems];
  return {
    ...plan,
    problems: all.toSorted((a, b) => a.line - b.line),
    isExport,
    stored: () => readStored(service.table, chains),
    restore: async () => {
      for (const chain of chains) await finishChain(service, chain, days, decoded, foreign);
    },
  };
}

/** Writes the days, then compares them with the table. @returns those that it has */
async function writeAll(
  service: OperatedService,
  { writes, isExport, stored, restore }: Awaited<ReturnType<typeof planImport>>,
  { replace }: Options,
): Promise<PlannedWrite[]> {
  if (!isExport) await beginCoverages(service, writes);
  using progress = startProgressBar('days written', writes.length);
  await writeDays(service.table, writes, interrupted, isExport, () => progress.add(1));
  const after = compareDays(writes, await stored(), replace);
  const found = new Set(after.alreadyFinal.map(({ day }) => day));
  const written = writes.filter(({ day }) => found.has(day));
  // A restore that was stopped keeps the revision of its coverage, and so the entity tags of the lost table, for its continuation.
  if (isExport && written.length === writes.length) await restore();
  return written;
}

const againLine = (
  { flags }: OperatedService,
  place: string,
  { chain, skipBad, replace, merge }: Options,
): string => commandLine(flags, 'import', place, { chain, skipBad, replace, merge });
