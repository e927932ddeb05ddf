import { createHash } from 'node:crypto';
import type { Source } from '../../core/anchor/network.ts';
import { createChecks, stratumOf } from '../../core/archive/check-rows.ts';
import { type ArchiveRow, csvCells, fieldsProblem, membersOf, parseRow } from '../../core/archive/row.ts';
import { allocate, lowestRanks, rankOf } from '../../core/archive/sample.ts';
import type { Chain } from '../../core/chains/chains.ts';
import { dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import type { ArchiveFile, Draw } from '../../core/store/days/archive-files.ts';
import { CALLS_PER_BLOCK, evenlySpaced, readSample } from '../backfill/plan.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { textOf } from '../import/files.ts';
import { formatCount, formatDuration, formatRate, pluralize, printNote } from '../print.ts';

/** A file whose form, sums and controls are right. */
export type OpenFile = Awaited<ReturnType<typeof openFile>>;

/** @throws CommandError at the first row that is refused */
export async function openFile(path: string, chain: Chain) {
  const checks = createChecks(chain, dayOf(Date.now() / 1_000));
  const sha256 = await eachRow(path, chain, (row) => refuse(path, checks.add(row)));
  const checked = checks.end();
  if (checked.ranges === 0) refuse(path, 'no rows');
  return { path, chain, sha256, ...checked };
}

async function eachRow(path: string, chain: Chain, use: (row: ArchiveRow) => void): Promise<string> {
  const rows = readArchive(path, chain);
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return value;
    use(value);
  }
}

/** The rows that all draws of a file hold. */
export type Drawn = Awaited<ReturnType<typeof drawRows>>;

/**
 * Reads the file again for each draw, and finds its rows. A later draw adds to the earlier ones.
 * @throws CommandError when the file has changed since it was opened
 */
export async function drawRows(file: OpenFile, draws: readonly Draw[]) {
  const { path, chain, sha256, strata, days } = file;
  const random = new Map<number, string>();
  const rows = new Map<number, ArchiveRow>();
  const dates = new Set<UtcDay>();
  for (const { seed, ranges, days: wholeDays } of draws) {
    const ofDays = lowestRanks<UtcDay>(wholeDays);
    for (const { date } of days) if (!dates.has(date)) ofDays.add(rankOf(seed, date), date);
    for (const date of ofDays.end()) dates.add(date);
    const left = new Map([...strata].map(([name, all]) => [name, all - countOf(random, name)]));
    const wanted = allocate(left, ranges);
    const lowest = new Map([...wanted].map(([name, count]) => [name, lowestRanks<ArchiveRow>(count)]));
    const read = await eachRow(path, chain, (row) => {
      if (dates.has(row.date)) rows.set(row.first, row);
      if (!random.has(row.first)) lowest.get(stratumOf(chain, row))?.add(rankOf(seed, row.first), row);
    });
    if (read !== sha256)
      throw new CommandError(
        `${path} changed while it was read. Nothing was published. Import it again: its draw is another one.`,
      );
    for (const [name, ranks] of lowest) {
      for (const row of ranks.end()) {
        random.set(row.first, name);
        rows.set(row.first, row);
      }
    }
  }
  return {
    // By first block, ascending.
    rows: [...rows.values()].toSorted((a, b) => a.first - b.first),
    // The random ranges of each stratum; those of complete days are not among them.
    strata: new Map([...strata].map(([name, of]) => [name, { drawn: countOf(random, name), of }])),
    days: [...dates].toSorted(),
  };
}

const countOf = (random: ReadonlyMap<number, string>, name: string): number =>
  [...random.values()].filter((one) => one === name).length;

/** Returns the drawn ranges that are not compared yet. */
export const remaining = ({ rows }: Drawn, { equal }: ArchiveFile) => {
  const known = new Set(equal);
  return rows.filter(({ first }) => !known.has(first));
};

export const blocksIn = (rows: Drawn['rows']): number =>
  rows.reduce((sum, { first, last }) => sum + last - first + 1, 0);

const SPEED_SAMPLE = 16;

/** Says what the audit will cost, from the speed of the nodes at some blocks of the file. */
export async function printCost(
  source: Source,
  file: OpenFile,
  drawn: Drawn,
  stored: ArchiveFile,
): Promise<void> {
  const rows = remaining(drawn, stored);
  const [first, last] = [file.days[0]?.first ?? 0, file.days.at(-1)?.last ?? 0];
  const sample = await readSample(source, evenlySpaced(first, last, SPEED_SAMPLE), () => {});
  const speed = sample.blocks / sample.seconds;
  const blocks = blocksIn(rows);
  const calls = blocks * CALLS_PER_BLOCK + (file.days.length + 1) * (2 + source.voters.length);
  const { seed, block_number } = stored.draws.at(-1) as Draw;
  printNote(
    `Drawn by ${seed}, the hash of this file and of final block ${formatCount(block_number)}: ${pluralize(rows.length, 'range')} to compare, ${pluralize(blocks, 'block')}.\n` +
      `Cost: ${formatCount(calls)} JSON-RPC calls, about ${formatDuration(calls / CALLS_PER_BLOCK / speed)} at ${formatRate(speed)} blocks/s. Ctrl-C stops it; repeat the command to continue.`,
  );
}

/** Characters. A row has about 500. */
const MAX_LINE = 10_000;

/**
 * Reads the rows of a file one by one, so that memory does not grow with it.
 * @returns the SHA-256 of exactly the bytes that were read
 * @throws CommandError at the first row that is refused
 */
async function* readArchive(file: string, chain: Chain): AsyncGenerator<ArchiveRow, string> {
  const hash = createHash('sha256');
  const text = textOf(file, interrupted, (bytes) => hash.update(bytes));
  let head: readonly string[] | undefined;
  for await (const { line, content } of linesOf(text)) {
    const isJson = content.startsWith('{');
    if (!head && !isJson) {
      head = csvCells(content);
      refuse(file, fieldsProblem(head));
      continue;
    }
    const cells = head ? cellsByField(head, content) : membersOf(content);
    if (!cells) throw new CommandError(`${file}: line ${line}: not a row with the fields of the first line.`);
    if (!head) refuse(file, fieldsProblem([...cells.keys()]));
    const parsed = parseRow(chain, line, cells);
    if ('problem' in parsed) return refuse(file, parsed.problem);
    yield parsed.row;
  }
  return hash.digest('hex');
}

const cellsByField = (head: readonly string[], content: string): Map<string, string> | undefined => {
  const cells = csvCells(content);
  return cells.length === head.length
    ? new Map(head.map((name, index) => [name, cells[index] ?? '']))
    : undefined;
};

/** @throws CommandError with the problem of a file, if it has one */
function refuse(file: string, problem: string): never;
function refuse(file: string, problem: string | undefined): undefined;
function refuse(file: string, problem: string | undefined): undefined {
  if (problem !== undefined) throw new CommandError(`${file}: ${problem}.\nNothing was published.`);
}

/** Splits at line feeds, drops carriage returns and blank lines. */
async function* linesOf(text: AsyncIterable<string>) {
  let line = 0;
  let rest = '';
  const cut = (content: string) => ({ line: ++line, content: content.replace(/\r$/, '') });
  for await (const chunk of text) {
    const [end = '', ...others] = chunk.split('\n');
    rest += end;
    for (const next of others) {
      const one = cut(rest);
      rest = next;
      if (one.content !== '') yield one;
    }
    if (rest.length > MAX_LINE)
      throw new CommandError(
        `Line ${line + 1} is longer than ${MAX_LINE} characters. Expected CSV or NDJSON (docs/history.md).`,
      );
  }
  if (rest !== '') yield cut(rest);
}

/** Returns the SHA-256 of a file. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const _ of textOf(path, interrupted, (bytes) => hash.update(bytes)));
  return hash.digest('hex');
}
