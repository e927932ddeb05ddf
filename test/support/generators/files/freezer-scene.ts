import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreezerRange, openFreezer } from '#core/blocks/freezer/freezer.ts';
import type { Chain } from '#core/chains/chains.ts';
import { createFolder } from '#test/support/folders.ts';
import { formOf, freezerFiles } from '#test/support/generators/files/freezer-files.ts';
import { readFiles } from '#test/support/generators/files/read-files.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { Summed } from './small-era-files.ts';
import { storedBytes } from './stored-bytes.ts';

/** A copy of a real freezer of geth that a test may damage. */
export function copyFreezer(name: 'chain' | 'chain-two-files' | 'chain-pruned-tail'): string {
  const folder = createFolder();
  cpSync(`test/fixtures/freezer/${name}`, folder, { recursive: true });
  return folder;
}

export function writeFreezer(files: ReadonlyMap<string, Buffer>): string {
  const folder = createFolder();
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return folder;
}

export function removeIndexes(folder: string): void {
  for (const table of ['headers', 'bodies', 'receipts', 'matic-bor-receipts'])
    for (const file of ['cidx', 'meta']) rmSync(join(folder, `${table}.${file}`), { force: true });
}

/** Writes a freezer of random blocks, as the node of their chain does. */
export const freezerOf = (
  chain: Chain,
  blocks: readonly RandomBlock[],
  shape: { readonly first?: number; readonly maxBytes?: number } = {},
): string =>
  writeFreezer(
    freezerFiles(
      blocks.map((block) => storedBytes(chain, block)),
      { form: formOf(chain), ...shape },
    ),
  );

/** The days of a freezer, or the reason why a block is refused, which begins with the block. */
export interface SummedFreezer extends Summed {
  readonly first: number;
  readonly count: number;
}

/** Proves and sums a freezer; returns nothing where no block can be proven. */
export async function sumFreezer(folder: string, chain: Chain): Promise<readonly SummedFreezer[]> {
  const range = await findFreezerRange(folder, chain);
  if (range.last < range.first) return [];
  const { days, end } = await readFiles(openFreezer(folder, chain, range), chain);
  const problem =
    end.kind === 'no endpoint'
      ? end.reason.split(`${folder}: `)[1]?.replace(/^\w+ (?=block)/, '')
      : undefined;
  return [{ days, problem, first: range.first, count: range.last - range.first + 1 }];
}
