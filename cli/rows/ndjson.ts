import type { Format, TextRow } from './format.ts';
import { LineError, MAX_ROW, TOO_LONG } from './line-error.ts';

/** A JSON object a line, https://github.com/ndjson/ndjson-spec. */
export const ndjson: Format = {
  header: '',
  encode: (row) => `${JSON.stringify(row)}\n`,
  async *read(text) {
    let line = 0;
    let isFirst = true;
    for await (const content of linesOf(text)) {
      line++;
      if (content.trim() === '') continue;
      const row = parsed(content);
      if (isFirst && 'problem' in row && isCsvHeader(content)) {
        throw new LineError(
          line,
          'this is not JSON, but the header row of CSV. Is it CSV? Add --format csv.',
        );
      }
      isFirst = false;
      yield { line, ...row };
    }
  },
};

/** Node's readline would take some characters that JSON has within a string for the end of a line too. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 1;
  let content = '';
  for await (const chunk of text) {
    const [end = '', ...others] = chunk.split('\n');
    content += end;
    for (const next of others) {
      yield content;
      line++;
      content = next;
    }
    // A file without line breaks would not fit into the memory.
    if (content.length > MAX_ROW) throw new LineError(line, `this line is ${TOO_LONG}.`);
  }
  yield content;
}

function parsed(content: string): Pick<TextRow & { value: unknown }, 'value'> | { problem: string } {
  try {
    return { value: JSON.parse(content) };
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}

/** Whether a line has the names of two columns that every row must have, between commas. */
function isCsvHeader(content: string): boolean {
  const cells = content.split(',').map((cell) => cell.replaceAll('"', '').trim());
  return cells.includes('chain') && cells.includes('date');
}
