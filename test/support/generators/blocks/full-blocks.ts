import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ChainName } from '#core/chains/chains.ts';

/** A real block as the two answers of a node that prove it. */
export interface FullBlock {
  readonly name: string;
  readonly chain: ChainName;
  readonly number: number;
  /** The repository that published it, the file, and the commit. */
  readonly source: string;
  readonly block: Record<string, unknown>;
  readonly receipts: unknown[];
}

const ROOT = join(process.cwd(), 'test/fixtures/full-blocks');

/** Folders of real blocks. */
export const fullBlockFolders = {
  small: join(ROOT, 'small'),
  /** Up to 274 transactions, in all eras. */
  large: join(ROOT, 'large'),
  /** Blocks with all receipts, of which the node has lost a value. */
  incomplete: join(ROOT, 'incomplete'),
  /** Blocks without most of their receipts, which only header and transactions can be proven of. */
  partial: join(ROOT, 'partial'),
};

/** Returns the paths of the blocks below a folder. */
export const fullBlockNames = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.json(\.gz)?$/.test(file));

/** The name and folder of each block with all of its receipts. */
export const completeBlocks: readonly (readonly [name: string, folder: string])[] = [
  fullBlockFolders.small,
  fullBlockFolders.large,
].flatMap((folder) => fullBlockNames(folder).map((name) => [name, folder] as const));

/** The source of this partial block left one transaction out, though each of the others hashes to its hash: no root matches. */
export const ONE_TRANSACTION_SHORT = 'op-stack/BASE-1962302.json.gz';
export const partialBlockNames = fullBlockNames(fullBlockFolders.partial).filter(
  (name) => name !== ONE_TRANSACTION_SHORT,
);

export const readSmallBlocks = (): readonly FullBlock[] =>
  fullBlockNames(fullBlockFolders.small).map((name) => readFullBlock(fullBlockFolders.small, name));

export function readFullBlock(folder: string, name: string): FullBlock {
  const bytes = readFileSync(join(folder, name));
  const json = name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
  return { ...JSON.parse(json), name };
}
