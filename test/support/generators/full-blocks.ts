import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ChainName } from '#core/chains/chains.ts';

/** A real block as the two answers of a node that prove it. */
export interface FullBlock {
  readonly name: string;
  readonly chain: ChainName;
  readonly number: number;
  readonly block: Record<string, unknown>;
  readonly receipts: unknown[];
}

/** Folders of real blocks. Only the first two are in this repository. */
export const fullBlockFolders = {
  committed: join(process.cwd(), 'test/fixtures/full-blocks'),
  /** Blocks of Ethereum that only the tests of raw bytes read. */
  eras: join(process.cwd(), 'test/fixtures/era-blocks'),
  shared: join(process.cwd(), '../shared/full-blocks'),
  partial: join(process.cwd(), '../shared/full-blocks/partial'),
};

/** Names of the blocks in a folder, none if it is missing. */
export const fullBlockNames = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((file) => /\.json(\.gz)?$/.test(file)) : [];

export function readFullBlock(folder: string, name: string): FullBlock {
  const bytes = readFileSync(join(folder, name));
  const json = name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
  return { ...JSON.parse(json), name };
}

/** Runs `each` on the names of a folder's blocks, or skips with a message when there are none. */
export function describeFullBlocks(folder: string, each: (names: readonly string[]) => void): void {
  const names = fullBlockNames(folder);
  describe(`blocks of ${folder}`, () => {
    if (names.length > 0) each(names);
    else test.skip('the folder is missing, so its blocks are not proven', () => {});
  });
}
