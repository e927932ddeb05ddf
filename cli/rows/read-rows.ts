import type { Format } from './format.ts';
import { type Decoded, fromRow } from './row.ts';

/** A row of a file, with its day or what is wrong with it. */
export type ReadRow = { readonly line: number } & Decoded;

/**
 * The rows of a text, one after the other.
 * @throws LineError when it is not known where a row begins or which field is which
 */
export async function* readRows(format: Format, text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  for await (const { line, ...found } of format.read(text)) {
    yield { line, ...('value' in found ? fromRow(found.value) : { problems: [found.problem] }) };
  }
}
