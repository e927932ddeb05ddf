import type { Source } from '../../core/anchor/network.ts';
import { seedOf } from '../../core/archive/sample.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import type { SummedBlock } from '../../core/figures/block.ts';
import type { NoEndpoint } from '../../core/rpc/failover.ts';
import {
  type ArchiveFile,
  changeArchiveFile,
  type Draw,
  getArchiveFile,
} from '../../core/store/days/archive-files.ts';
import { openSource, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes, interrupted, orStopped } from '../exit-codes.ts';
import type { CommonOptions } from '../options.ts';
import { pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';
import { auditRange, type Difference, proveBounds } from './audit.ts';
import {
  blocksIn,
  type Drawn,
  drawRows,
  hashOfFile,
  type OpenFile,
  openFile,
  printCost,
  remaining,
} from './draw.ts';
import { type BoundedDay, compareStored, publish, withBounds } from './publish.ts';
import { originOf, reportOf } from './report.ts';

export interface ImportOptions extends CommonOptions {
  readonly chain: ChainName;
  readonly archive: string;
  /** The file of the query. */
  readonly query?: string;
  readonly ranges: number;
  readonly days: number;
  /** Percent. */
  readonly confidence: number;
  readonly rpcUrl?: readonly string[];
  readonly dryRun: boolean;
}

interface Import {
  readonly served: ServedChain;
  readonly file: OpenFile;
  readonly options: ImportOptions;
  readonly source: Source;
}

/** Audits a file and publishes its days. Each part ends the import if it fails, and a repeated import continues where it stopped. */
export async function importArchive(
  service: OperatedService,
  path: string,
  options: ImportOptions,
): Promise<void> {
  const served = chainIn(service, options.chain);
  const file = await openFile(path, served.chain);
  const before = await getArchiveFile(served.store, file.sha256);
  refuseFailed(path, before);
  printNote(describeFile(file));
  if (file.looksRounded) printNote(ROUNDED);
  if (options.dryRun)
    return printResult(
      options,
      { written: false, ...summaryOf(file) },
      'Dry run: form, sums and controls are right. No node was asked, and nothing was published.',
    );
  const upstreams = await upstreamsOf(served, options.rpcUrl);
  const source = await openSource(served, upstreams, requestContext(interrupted));
  const task = { served, file, options, source };
  const stored = await draw(task, before);
  const drawn = await drawRows(file, stored.draws);
  await printCost(source, file, drawn, stored);
  const days = await bound(task);
  const equalDays = await compareStored(served, days, file.sha256);
  if (typeof equalDays === 'string') throw await failed(task, { kind: 'difference', difference: equalDays });
  await auditSample(task, drawn, stored);
  const audit = { ...task, drawn, stored, confidence: options.confidence };
  const archive = originOf(audit);
  const report = await reportOf(audit, archive, equalDays);
  const save = (known = stored) => ({ ...known, report });
  refuseFailed(path, await changeArchiveFile(served.store, file.sha256, save));
  const published = await publish(served, days, archive);
  if (interrupted.aborted) throw stopped();
  printResult(
    options,
    { written: true, published, equal_days: equalDays, archive, ...summaryOf(file) },
    `${report}\n\nPublished ${pluralize(published, 'day')} as archived.`,
  );
}

const ROUNDED =
  'Warning: every large fee is exactly a floating-point number, so the archive has probably rounded them. The audit will find it.';

const summaryOf = ({ sha256, days, ranges, looksRounded }: OpenFile) => ({
  file_sha256: sha256,
  first_day: days[0]?.date,
  last_day: days.at(-1)?.date,
  days: days.length,
  ranges,
  looks_rounded: looksRounded,
});

const describeFile = ({ path, sha256, chain, days, ranges, maxBlocks }: OpenFile): string =>
  `${path}: ${chain.name} ${days[0]?.date} to ${days.at(-1)?.date}, ${pluralize(days.length, 'day')} in ${pluralize(ranges, 'range')} of up to ${pluralize(maxBlocks, 'block')}. Form, sums and controls are right.\nSHA-256 ${sha256}`;

/** @throws CommandError when an audit of the file has failed, or a proof has made it void */
function refuseFailed(path: string, file: ArchiveFile | undefined): void {
  const reason =
    file?.difference ??
    (file?.void_since && `a proof contradicted it, so that its audit is void since ${file.void_since}`);
  if (reason)
    throw new CommandError(
      `${path} failed before: ${reason}.\nNothing was published. Repair the query or the archive: another file gets another draw.`,
      exitCodes.checkFailed,
    );
}

/** Saves a new draw before any of its ranges is read, so that nobody can choose it. Continues with the last draw if that is not done. */
async function draw(
  { served, file, options, source }: Import,
  before: ArchiveFile | undefined,
): Promise<ArchiveFile> {
  const { anchor } = source;
  const query = options.query === undefined ? undefined : await hashOfFile(options.query);
  const isDone = before === undefined || (await remainingOf(file, before)).length === 0;
  const next: Draw = {
    seed: seedOf(file.sha256, anchor.hash),
    block_number: anchor.number,
    block_hash: anchor.hash,
    drawn_at: new Date(Date.now()).toISOString(),
    ranges: options.ranges,
    days: options.days,
  };
  return changeArchiveFile(served.store, file.sha256, (stored) => {
    // Another import may have drawn meanwhile.
    const isKept = stored && (!isDone || stored.draws.length !== before?.draws.length);
    return {
      ...(stored ?? { equal: [] }),
      name: options.archive,
      query_sha256: query ?? stored?.query_sha256,
      first_day: file.days[0]?.date ?? '',
      last_day: file.days.at(-1)?.date ?? '',
      draws: isKept ? stored.draws : [...(stored?.draws ?? []), next],
    };
  });
}

const remainingOf = async (file: OpenFile, stored: ArchiveFile) =>
  remaining(await drawRows(file, stored.draws), stored);

async function bound(task: Import): Promise<BoundedDay[]> {
  const { source, file } = task;
  using progress = startProgressBar('days bounded');
  const onDay = (done: number) => progress.update(done / file.days.length, done);
  const bounds = await orStopped(proveBounds(source, file.days, onDay), STOPPED);
  progress.end();
  if ('kind' in bounds) throw await failed(task, bounds);
  return withBounds(file.days, bounds);
}

/** Compares the drawn ranges that are left, and saves each. */
async function auditSample(task: Import, drawn: Drawn, stored: ArchiveFile): Promise<void> {
  const { source, served, file } = task;
  const rows = remaining(drawn, stored);
  const all = blocksIn(rows);
  using progress = startProgressBar('blocks');
  for (const [index, row] of rows.entries()) {
    const before = blocksIn(rows.slice(0, index)) - row.first + 1;
    const onBlock = ({ number }: SummedBlock) => progress.update((before + number) / all, before + number);
    const found = await orStopped(auditRange(source, row, onBlock), STOPPED);
    if (found) {
      progress.end();
      throw await failed(task, found);
    }
    await changeArchiveFile(served.store, file.sha256, (now) => {
      const known = now ?? stored;
      return { ...known, equal: [...new Set([...known.equal, row.first])] };
    });
    if (interrupted.aborted) throw stopped();
  }
}

/** Saves a difference, so that the file is never published; other failures can be repeated. */
async function failed({ served, file }: Import, end: Difference | NoEndpoint): Promise<CommandError> {
  if (interrupted.aborted) return stopped();
  if (end.kind === 'no endpoint')
    return new CommandError(
      `${end.reason}\nNothing was published. What was compared is saved: repeat the command to continue.`,
    );
  await changeArchiveFile(served.store, file.sha256, (now) => ({
    ...(now as ArchiveFile),
    difference: end.difference,
  }));
  return new CommandError(
    `${end.difference}.\nThe file failed its audit, and nothing was published.`,
    exitCodes.checkFailed,
  );
}

const STOPPED = 'Stopped. What was compared is saved: repeat the command to continue.';
const stopped = () => new CommandError(STOPPED, exitCodes.interrupted);
