import { createHash } from 'node:crypto';
import { daysOf, looksRounded, rowProblem } from '../../core/archive/check-rows.ts';
import { type ArchiveRow, cellsByField, csvCells, parseRow } from '../../core/archive/row.ts';
import type { Chain } from '../../core/chains/chains.ts';
import { dayOf } from '../../core/figures/calendar.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { textOf } from '../import/files.ts';

/** A file whose form, sums and controls are right. Its rows stay in memory, so that what is audited is what was hashed. */
export type OpenFile = Awaited<ReturnType<typeof openFile>>;

/** @throws CommandError at the first row that is refused */
export async function openFile(path: string, chain: Chain) {
  const hash = createHash('sha256');
  const today = dayOf(Date.now() / 1_000);
  const rows: ArchiveRow[] = [];
  let head: readonly string[] | undefined;
  const refused = (problem: string) => new CommandError(`${path}: ${problem}.\nNothing was published.`);
  const text = textOf(path, interrupted, (bytes) => hash.update(bytes));
  for await (const { line, content } of linesOf(text)) {
    if (!head && rows.length === 0 && !content.startsWith('{')) {
      head = csvCells(content);
      continue;
    }
    const cells = cellsByField(content, head);
    if (!cells) throw refused(`line ${line}: not a row with the fields of the first line`);
    const parsed = parseRow(chain, line, cells);
    if ('problem' in parsed) throw refused(parsed.problem);
    const before = rows.at(-1);
    const problem = rowProblem(chain, today, before, parsed.row);
    if (problem) throw refused(problem);
    const isSameDay = before?.date === parsed.row.date;
    // Only the hashes of a day's ends are compared. The others would take a third of the memory.
    if (isSameDay) rows[rows.length - 1] = { ...before, lastHash: undefined };
    rows.push(isSameDay ? { ...parsed.row, date: before.date, firstHash: undefined } : parsed.row);
  }
  if (rows.length === 0) throw refused('no rows');
  return { path, chain, sha256: hash.digest('hex'), rows, days: daysOf(rows), isRounded: looksRounded(rows) };
}

/** Characters. A row has about 500. */
const MAX_LINE = 10_000;

/** Splits text at line feeds, and leaves out carriage returns and blank lines. */
async function* linesOf(text: AsyncIterable<string>) {
  let [line, rest] = [0, ''];
  for await (const chunk of text) {
    const contents = `${rest}${chunk}`.split('\n');
    rest = contents.pop() ?? '';
    if (rest.length > MAX_LINE)
      throw new CommandError(`A line is longer than ${MAX_LINE} characters. Expected CSV or NDJSON.`);
    for (const content of contents) {
      line++;
      if (content.trim() !== '') yield { line, content: content.replace(/\r$/, '') };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, content: rest };
}

/** Returns the SHA-256 of a file. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const _ of textOf(path, interrupted, (bytes) => hash.update(bytes)));
  return hash.digest('hex');
}
