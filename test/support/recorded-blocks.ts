import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Chain, type ChainName, chainOf } from '../../lambda/chains/chains.ts';
import type { RpcBlock, RpcReceipt } from '../../lambda/proof/types.ts';

/** A real block with all of its transactions, and all of its receipts or just one. */
export interface RecordedBlock {
  readonly chain: Chain;
  readonly block: RpcBlock;
  readonly receipts: readonly RpcReceipt[];
}

const FOLDERS = [
  join(process.cwd(), '../shared/full-blocks'),
  join(process.cwd(), '../shared/full-blocks/partial'),
];

/** One of its transactions is missing, so no root matches. */
const INCOMPLETE = 'BASE-1962302.json.gz';

/** Returns the paths of the recorded blocks, none on a machine without them. */
export const recordedBlocks = (): readonly string[] =>
  FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json.gz') && name !== INCOMPLETE)
      .map((name) => join(folder, name)),
  );

export function readRecordedBlock(path: string): RecordedBlock {
  const { chain, block, receipts }: { chain: ChainName; block: RpcBlock; receipts: readonly RpcReceipt[] } =
    JSON.parse(gunzipSync(readFileSync(path)).toString());
  return { chain: path.includes('BASE_GOERLI') ? baseGoerli : chainOf(chain), block, receipts };
}

/** Base's first testnet began before Regolith: https://github.com/ethereum-optimism/superchain-registry, its history. */
export const baseGoerli: Chain = {
  ...chainOf('BASE'),
  name: 'BASE_GOERLI',
  rules: { ...baseRules(), regolithTime: 1_683_219_600 },
};

function baseRules() {
  const { rules } = chainOf('BASE');
  if (rules.family !== 'op-stack') throw new Error('Base is not of the OP stack.');
  return rules;
}
