import type { Format, TextRow } from './format.ts';

/** A JSON object a line, https://github.com/ndjson/ndjson-spec. */
export const ndjson: Format = {
  header: '',
  encode: (row) => `${JSON.stringify(row)}\n`,
  async *read(text) {
    let line = 0;
    for await (const content of linesOf(text)) {
      line++;
      if (content.trim() !== '') yield { line, ...parsed(content) };
    }
  },
};

/** Node's readline would take some characters that JSON has within a string for the end of a line too. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function parsed(content: string): Pick<TextRow & { value: unknown }, 'value'> | { problem: string } {
  try {
    return { value: JSON.parse(content) };
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}
