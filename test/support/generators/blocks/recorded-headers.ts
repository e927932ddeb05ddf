import { readdirSync, readFileSync } from 'node:fs';
import { decodeHeader } from '#core/proof/json/decode-block.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';

const FOLDER = new URL('../../../fixtures/headers/', `file://${__filename}`);

/** Real headers that follow each other. */
interface RecordedHeaders {
  readonly name: string;
  readonly headers: readonly RpcHeader[];
  /** The excess blob gas of each but the first, as another implementation computed it. */
  readonly expected: readonly { readonly number: number; readonly excessBlobGas: string }[];
}

export const recordedHeaders = (): readonly RecordedHeaders[] =>
  readdirSync(FOLDER).map((file) => {
    const { headers, expected } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
    return { name: file, headers: headers.map(decodeHeader), expected };
  });

/** Returns the headers of a file. */
export function recordedHeadersOf(name: string): readonly RpcHeader[] {
  const found = recordedHeaders().find((one) => one.name.startsWith(name));
  if (!found) throw new Error(`no recorded headers of ${name}`);
  return found.headers;
}
