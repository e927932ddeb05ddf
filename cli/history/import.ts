import type { AnchoredNetwork } from '../../core/anchor/network.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import { markVoidFiles } from '../../core/days/prove-archived.ts';
import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import {
  type ArchiveFile,
  changeArchiveFile,
  getArchiveFile,
  listArchiveFiles,
} from '../../core/store/days/archives.ts';
import { CALLS_PER_BLOCK, measureSpeed } from '../backfill/plan.ts';
import { CommandError, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import { nameOfFile } from '../import/files.ts';
import type { CommonOptions } from '../options.ts';
import {
  formatCount,
  formatDuration,
  formatRate,
  formatTable,
  pluralize,
  printNote,
  printResult,
} from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';
import { auditRange, compareProven, Difference, proveBounds } from './audit.ts';
import { describeDraw, describeOthers, recordAndDraw } from './draw.ts';
import { hashOfFile, type OpenFile, openFile } from './open-file.ts';
import { publish } from './publish.ts';
import type { ArchiveRow } from './row.ts';
import { drawRows, statementOf, sumOf } from './sample.ts';

export interface ImportOptions extends CommonOptions {
  readonly chain: ChainName;
  readonly archive: string;
  /** The file of the query. */
  readonly query?: string;
  readonly ranges: number;
  readonly days: number;
  /** Percent. */
  readonly confidence: number;
  readonly dryRun: boolean;
}

/** A file, its draws and the nodes that it is compared with. */
interface Audit {
  readonly served: ServedChain;
  readonly network: AnchoredNetwork;
  readonly file: OpenFile;
  readonly stored: ArchiveFile;
  readonly drawn: ReturnType<typeof drawRows>;
  /** Such as 0.95. */
  readonly confidence: number;
}

/** Audits a file and publishes its days. Each part ends the import if it fails, and a repeated import continues where it stopped. */
export async function importArchive(service: OperatedService, path: string, options: ImportOptions) {
  const served = chainIn(service, options.chain);
  const { store, chain } = served;
  const file = await openFile(path, chain);
  const { sha256, days, rows, isRounded: looks_rounded } = file;
  refuseFailed(path, await getArchiveFile(store, sha256));
  const summary = { file_sha256: sha256, days: days.length, ranges: rows.length, looks_rounded };
  printNote(`${nameOfFile(path)}: ${chain.name} ${describeFile(file)}`);
  const query = options.query === undefined ? {} : { query_sha256: await hashOfFile(options.query) };
  if (options.dryRun)
    return printResult(options, { written: false, ...summary }, 'Dry run: nothing was published.');
  const about = { name: options.archive, ...query, ranges: options.ranges, days: options.days };
  const { network, stored } = await recordAndDraw(served, file, about);
  const drawn = drawRows(chain, rows, stored);
  const audit = { served, network, file, stored, drawn, confidence: options.confidence / 100 };
  const { report, ...result } = await orStopped(
    auditAndPublish(path, audit),
    'Stopped. What was compared is saved: repeat the command to continue.',
  );
  const published =
    result.published === 0
      ? `Published no day: ${days.length === 1 ? 'it is' : `all ${formatCount(days.length)} are`} already stored.`
      : `Published ${pluralize(result.published, 'day')} as archived.`;
  printResult(options, { written: true, ...result, ...summary }, `${report}\n\n${published}`);
}

/** Compares the ranges that are left, stores the report, and publishes the days with the audit. */
async function auditAndPublish(path: string, audit: Audit) {
  const { served, file } = audit;
  await printCost(audit);
  const { bounded, equal_days } = await compareAll(audit);
  const archive = originOf(audit, await listArchiveFiles(served.store));
  const report = reportOf(audit, archive, equal_days);
  refuseFailed(path, await changeArchiveFile(served.store, file.sha256, () => ({ report })));
  try {
    return { report, published: await publish(served, bounded, archive), equal_days, archive };
  } finally {
    // If another audit or a proof voided the file meanwhile, the next run marks the days that it did not see.
    await changeArchiveFile(served.store, file.sha256, () => ({ is_marked: false }));
  }
}

function describeFile({ sha256, days, rows, isRounded }: OpenFile): string {
  const blocks = rows.reduce((most, { totals }) => Math.max(most, totals.blocks), 0);
  const rounded =
    '\nWarning: every large fee is exactly a floating-point number, so the archive has probably rounded them. The audit will find it.';
  return (
    `${days[0]?.date} to ${days.at(-1)?.date}, ${pluralize(days.length, 'day')} in ${pluralize(rows.length, 'range')} of up to ${pluralize(blocks, 'block')}. ` +
    `Format, sums and check columns are right.\nSHA-256 ${sha256}${isRounded ? rounded : ''}`
  );
}

/** @throws CommandError when an audit of the file has failed, or a proof has made it void */
function refuseFailed(path: string, file: ArchiveFile | undefined): void {
  const reason = file?.difference ?? (file?.void_since && `a proof contradicted it at ${file.void_since}`);
  if (reason)
    throw new CommandError(
      `${path} failed before: ${reason}.\nNothing was published. Repair the query or the archive: another file gets another draw.`,
      exitCodes.checkFailed,
    );
}

const blocksIn = (rows: readonly ArchiveRow[]): number =>
  rows.reduce((sum, { totals }) => sum + totals.blocks, 0);

/** Says what the audit will cost, from the speed of the nodes at some blocks of the file. */
async function printCost({ network, file: { days, rows }, stored, drawn: { left } }: Audit): Promise<void> {
  const speed = await measureSpeed(network, rows[0]?.first ?? 0, rows.at(-1)?.last ?? 0);
  const blocks = blocksIn(left);
  const calls = blocks * CALLS_PER_BLOCK + (days.length + 1) * (2 + network.hosts.length);
  const draw = stored.draws.at(-1) as ArchiveFile['draws'][number];
  printNote(
    `${describeDraw(draw)}\nSeed ${draw.seed}, the hash of file and block: ${pluralize(left.length, 'range')} to compare, ${pluralize(blocks, 'block')}.\n` +
      `Cost: ${formatCount(calls)} JSON-RPC calls, about ${formatDuration(calls / CALLS_PER_BLOCK / speed)} at ${formatRate(speed)} blocks/s. Ctrl-C stops it; repeat the command to continue.`,
  );
}

/** Compares bounds of all days, proven days of the table, and the ranges that are left. Saves each range, and a difference. */
async function compareAll({ served, network, file: { sha256, days }, drawn: { left } }: Audit) {
  // The bounds of a day take about as long as two blocks.
  using progress = startProgressBar('blocks', blocksIn(left) + 2 * (days.length + 1));
  try {
    const bounded = await proveBounds(network, days, () => progress.add(2));
    const equal_days = await compareProven(served, bounded);
    for (const row of left) {
      await auditRange(network, row, () => progress.add(1));
      const add = ({ equal }: ArchiveFile) => ({ equal: [...new Set([...equal, row.first])] });
      await changeArchiveFile(served.store, sha256, add);
      interrupted.throwIfAborted();
    }
    return { bounded, equal_days };
  } catch (error) {
    progress.end();
    if (!(error instanceof Difference)) throw error;
    // Such a file is never published. Other failures can be repeated.
    const marked = await markFailed(served, sha256, error.message);
    const before =
      marked === 0 ? '' : ` ${pluralize(marked, 'day')} that it brought before are marked as void.`;
    const message = `${error.message}.\nThe file failed its audit, and nothing was published.${before}`;
    throw new CommandError(message, exitCodes.checkFailed);
  }
}

/** Saves that a file has failed. An earlier audit of it may have drawn only equal ranges: its days are marked. @returns their number */
async function markFailed({ store }: ServedChain, sha256: string, difference: string) {
  const now = new Date(Date.now()).toISOString();
  const failed = ({ void_since = now }: ArchiveFile) => ({ difference, void_since, is_marked: false });
  await changeArchiveFile(store, sha256, failed);
  return (await markVoidFiles(store)).length;
}

/** Returns what days keep about a passed audit. */
function originOf(
  { served: { name }, file, drawn: { strata }, stored, confidence }: Audit,
  files: readonly ArchiveFile[],
): ArchiveOrigin {
  const draws = stored.draws.map(describeDraw).join(' ');
  const others = describeOthers(name, files, file.sha256);
  const audit = {
    audited_at: new Date(Date.now()).toISOString(),
    ranges_compared: sumOf(strata, 'drawn'),
    ranges: file.rows.length,
    statement: `${statementOf(strata, confidence, 'range')} ${draws}${others}`,
  };
  return { name: stored.name, file_sha256: file.sha256, query_sha256: stored.query_sha256, audit };
}

/** Returns the page that an audit ends with. It claims what was drawn and compared, and nothing else. */
function reportOf(
  { served: { name }, network, file: { sha256, days }, drawn, stored, confidence }: Audit,
  { audit }: ArchiveOrigin,
  equalDays: number,
): string {
  const draws = stored.draws.map(
    ({ seed, block_number, drawn_at }) =>
      `Draw:     ${seed}, from block ${formatCount(block_number)}, saved at ${drawn_at}`,
  );
  const strata = drawn.strata.map(({ name, drawn, of }) => [name, drawn, of]);
  const wholeDays = drawn.days.drawn === 0 ? '' : `\n${statementOf([drawn.days], confidence, 'day')}`;
  return `Audit of ${name} ${days[0]?.date} to ${days.at(-1)?.date}, archive ${stored.name}

File:     ${sha256}
Query:    ${stored.query_sha256 ?? 'not given (--query)'}
${draws.join('\n')}
Nodes:    ${network.hosts.map((voter) => voter.name).join(', ')}

All ${pluralize(days.length, 'day')}: no gap or overlap, the check columns are 0, and the first and last block are proven by their headers, as these nodes report them.
${pluralize(equalDays, 'proven day')} of this stage: equal. They are not a random sample.

${formatTable(['year and fee rules', 'compared', 'ranges'], strata)}

${audit.statement}${wholeDays}
A range that was not drawn may be wrong: one bad range is found with a probability of its share that was drawn.`;
}
