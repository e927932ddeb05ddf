import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Chain } from '#core/chains/chains.ts';
import { type RawAnswers, rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';

/* Answers of real clients on private networks: test/fixtures/real-nodes. */

const ROOT = join(process.cwd(), 'test/fixtures/real-nodes');

/** Returns the text of a recorded file, which may be gzipped. */
export function readText(path: string): string {
  const bytes = readFileSync(join(ROOT, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/** Returns a recorded file, whose shape the test knows. */
export const readOtherJson = <Shape>(path: string): Shape => JSON.parse(readText(path));

/** A block as its node gave it. Of some blocks only JSON was recorded, of others only RLP. */
export interface RecordedBlock {
  readonly number: number;
  readonly json?: { readonly block: Json; readonly receipts: readonly Json[] };
  readonly raw?: RawAnswers;
}

interface Row {
  readonly block: Json;
  readonly receipts: readonly Json[];
  readonly rawBlock?: string;
  readonly rawReceipts?: readonly string[];
}

function fromRow({ block, receipts, rawBlock, rawReceipts }: Row): RecordedBlock {
  const raw = rawBlock !== undefined && rawReceipts && { block: rawBlock, receipts: rawReceipts };
  return { number: Number(block.number), json: { block, receipts }, ...(raw && { raw }) };
}

/** Reads a file with a list of blocks. */
export const readBlocks = (path: string): readonly RecordedBlock[] =>
  readOtherJson<readonly Row[]>(path).map(fromRow);

/** Reads the block that has a file of its own. */
export const readBlockFile = (chain: string, number: number): RecordedBlock =>
  fromRow(readOtherJson(`${chain}/block-${number}.json.gz`));

/** Reads the blocks of geth, a line each. */
export const readOsakaBlocks = (): readonly RecordedBlock[] =>
  readText('ethereum/osaka-blocks-0-248.ndjson.gz')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { number, ...raw } = JSON.parse(line) as RawAnswers & { readonly number: number };
      return { number, raw };
    });

/** Adds the RLP of a block. It can be no other than the node's if the block is proven from it, because its roots cover it. */
export const withRaw = (chain: Chain, { number, json, raw }: RecordedBlock): RecordedBlock => ({
  number,
  ...(json && { json, raw: raw ?? rawAnswersOf(chain, json.block, json.receipts) }),
});
