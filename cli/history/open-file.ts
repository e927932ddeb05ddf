import { createHash } from 'node:crypto';
import type { Chain } from '../../core/chains/chains.ts';
import { dayOf } from '../../core/figures/calendar.ts';
import { addTotals } from '../../core/figures/totals.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { nameOfFile, textOf } from '../import/files.ts';
import { type ArchiveRow, cellsByField, csvCells, orderProblem, parseRow } from './row.ts';

/** A file whose format, sums and check columns are right. Its rows stay in memory, so that what is audited is what was hashed. */
export type OpenFile = Awaited<ReturnType<typeof openFile>>;

/** @throws CommandError at the first row that is refused */
export async function openFile(path: string, chain: Chain) {
  const hash = createHash('sha256');
  const today = dayOf(Date.now() / 1_000);
  const rows: ArchiveRow[] = [];
  let head: readonly string[] | undefined;
  const refused = (problem: string) =>
    new CommandError(`${nameOfFile(path)}: ${problem}.\nNothing was published.`);
  const text = textOf(path, interrupted, (bytes) => hash.update(bytes));
  let line = 0;
  for await (const content of linesOf(text)) {
    line++;
    if (content.trim() === '') continue;
    if (!head && rows.length === 0 && !content.startsWith('{')) {
      head = csvCells(content);
      continue;
    }
    const cells = cellsByField(content, head);
    if (!cells) throw refused(`line ${line}: not a row with the fields of the first line`);
    const row = parseRow(chain, line, cells);
    if ('problem' in row) throw refused(row.problem);
    const before = rows.at(-1);
    const problem = orderProblem(chain, today, before, row);
    if (problem) throw refused(problem);
    const isSameDay = before?.date === row.date;
    // Only the hashes of a day's ends are compared. The others would take a third of the memory.
    if (isSameDay) rows[rows.length - 1] = { ...before, lastHash: undefined };
    rows.push(isSameDay ? { ...row, date: before.date, firstHash: undefined } : row);
  }
  if (rows.length === 0) throw refused('no rows');
  return { sha256: hash.digest('hex'), rows, days: daysOf(rows), isRounded: looksRounded(rows) };
}

/** Returns each day as the sum of its rows. */
const daysOf = (rows: readonly ArchiveRow[]): ArchiveRow[] =>
  [...Map.groupBy(rows, ({ date }) => date).values()].map((ranges) => {
    const [{ first, firstHash }, last] = [ranges[0], ranges.at(-1)] as [ArchiveRow, ArchiveRow];
    return { ...last, first, firstHash, totals: ranges.map(({ totals }) => totals).reduce(addTotals) };
  });

/** Returns whether each of two or more large fees is exactly a floating-point number, which chance does once in 2^19 a fee of 22 digits. */
function looksRounded(rows: readonly ArchiveRow[]): boolean {
  const isLarge = (fee: bigint) => fee > Number.MAX_SAFE_INTEGER;
  const large = rows.flatMap(({ totals }) => Object.values(totals.fees).filter(isLarge));
  return large.length > 1 && large.every((fee) => BigInt(Number(fee)) === fee);
}

/** Characters. A row has about 500. */
const MAX_LINE = 10_000;

async function* linesOf(text: AsyncIterable<string>) {
  let rest = '';
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE)
      throw new CommandError(`A line is longer than ${MAX_LINE} characters. Expected CSV or NDJSON.`);
    yield* lines;
  }
  yield rest;
}

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const _ of textOf(path, interrupted, (bytes) => hash.update(bytes)));
  return hash.digest('hex');
}
