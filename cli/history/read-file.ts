import { createHash } from 'node:crypto';
import { type ArchiveRow, csvCells, fieldsProblem, membersOf, parseRow } from '../../core/archive/row.ts';
import type { Chain } from '../../core/chains/chains.ts';
import { CommandError, interrupted } from '../exit-codes.ts';
import { textOf } from '../import/files.ts';

/** Characters. A row has about 500. */
const MAX_LINE = 10_000;

/**
 * Reads the rows of a file one by one, so that memory does not grow with it.
 * @returns the SHA-256 of exactly the bytes that were read
 * @throws CommandError at the first row that is refused
 */
export async function* readArchive(file: string, chain: Chain): AsyncGenerator<ArchiveRow, string> {
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
export function refuse(file: string, problem: string): never;
export function refuse(file: string, problem: string | undefined): undefined;
export function refuse(file: string, problem: string | undefined): undefined {
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
