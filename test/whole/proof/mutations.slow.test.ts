import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import type { RpcBlock, RpcReceipt } from '#core/proof/json/rpc-types.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { ProvenBlock } from '#core/proof/proven-block.ts';
import {
  completeBlocks,
  fullBlockFolders,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import {
  type Change,
  changesOf,
  type Place,
  placesIn,
} from '#test/support/generators/blocks/json-changes.ts';
import { type Random, randomFrom } from '#test/support/generators/random/random.ts';

/*
 * Every value of real blocks is changed, one at a time. The places come from the JSON. A change must be refused, with a field
 * that leads to it, unless the list below says that no figure depends on the value; then the figures must stay as they are.
 */

interface Uncovered {
  readonly path: RegExp;
  /** Types of the transactions or their receipts; all when absent. */
  readonly types?: readonly number[];
  /** Seconds: only in older blocks. */
  readonly before?: number;
  readonly chain?: ChainName;
  readonly reason: string;
}

// 2024-01-11T17:00:01Z
const CANYON = 1_704_992_401;
const SIGNED = [0, 1, 2, 3, 4];
const ARBITRUM = [0x64, 0x68, 0x69, 0x6a];

/** The values that no hash or root covers, in JSON as nodes give it. */
const UNCOVERED: readonly Uncovered[] = [
  {
    path: /^block\.miner$/,
    chain: 'POLYGON',
    reason: 'Erigon states the validator; the hash covers a constant',
  },
  {
    path: /^block\.(size|totalDifficulty|uncles|withdrawals|l1BlockNumber|sendCount|sendRoot)\b/,
    reason: 'derived from the header or the body, and no part of the header',
  },
  {
    path: /\.(blockHash|blockNumber|blockTimestamp|transactionIndex|logIndex|removed)$/,
    reason: 'the place of a transaction or log, which is where it stands',
  },
  { path: /^receipts\[\d+\]\.logs\[\d+\]\.transactionHash$/, reason: 'the receipt has it' },
  {
    path: /^block\.transactions\[\d+\]\.from$/,
    types: [...SIGNED, 0x6a],
    reason: 'follows from the signature',
  },
  { path: /^block\.transactions\[\d+\]\.chainId$/, types: [0], reason: 'v contains it' },
  {
    path: /^block\.transactions\[\d+\]\.v$/,
    types: [1, 2, 3, 4],
    reason: 'yParity, which is hashed, repeats it',
  },
  {
    path: /^block\.transactions\[\d+\]\.gasPrice$/,
    types: [2, 3, 4, ...ARBITRUM, 0x7e],
    reason: 'derived from the maximum fee and the base fee',
  },
  {
    path: /^block\.transactions\[\d+\]\.(v|r|s|yParity|depositReceiptVersion)$/,
    types: [...ARBITRUM, 0x7e],
    reason: 'nodes fill in what transactions without a signature lack',
  },
  { path: /^block\.transactions\[\d+\]\.nonce$/, types: [0x64, 0x69, 0x6a, 0x7e], reason: 'not hashed' },
  { path: /^block\.transactions\[\d+\]\.(input|gas)$/, types: [0x64], reason: 'not hashed' },
  {
    path: /^block\.transactions\[\d+\]\.(input|to|value)$/,
    types: [0x69],
    reason: 'the retry members repeat it',
  },
  { path: /^block\.transactions\[\d+\]\.(to|gas|value)$/, types: [0x6a], reason: 'not hashed' },
  { path: /^receipts\[\d+\]\.(from|to|contractAddress)$/, reason: 'the transaction determines it' },
  {
    path: /^receipts\[\d+\]\.(l1GasUsed|l1GasPrice|l1FeeScalar|l1\w+Scalar|l1BlobBaseFee|daFootprintGasScalar)$/,
    reason: 'an input of the L1 fee, which is read from the L1 attributes',
  },
  {
    path: /^receipts\[\d+\]\.(gasUsedForL1|l1BlockNumber|timeboosted)$/,
    reason: 'additional information; gasUsed contains the gas for L1',
  },
  {
    path: /^receipts\[\d+\]\.blobGasUsed$/,
    types: [0, 2, 0x7e],
    reason: "Jovian's DA footprint, which costs nothing",
  },
  {
    path: /^receipts\[\d+\]\.(effectiveGasPrice|l1Fee)$/,
    types: [0x64, 0x6a, 0x7e],
    reason: 'these types use no gas or pay nothing',
  },
  {
    path: /^receipts\[\d+\]\.depositNonce$/,
    types: [0x7e],
    before: CANYON,
    reason: 'the receiptsRoot covers it since Canyon',
  },
];

interface Scene {
  readonly chain: ReturnType<typeof chainOf>;
  readonly block: RpcBlock;
  readonly receipts: readonly RpcReceipt[];
  readonly proven: ProvenBlock;
}

function sceneOf(folder: string, name: string): Scene {
  const full = readFullBlock(folder, name);
  const scene = {
    chain: chainOf(full.chain),
    block: decodeBlock(full.block),
    receipts: decodeReceipts(full.receipts),
  };
  const result = proveBlock(scene.chain, scene.block, scene.receipts);
  if ('refused' in result) throw new Error(`${result.refused.field}: ${result.refused.message}`);
  return { ...scene, proven: result.proven };
}

/** Returns the rule that a place breaks when it is changed, or undefined. */
function violation(scene: Scene, place: Place, change: Change, root: { block: unknown; receipts: unknown }) {
  const undo = change.apply();
  try {
    const result = proveBlock(scene.chain, decodeBlock(root.block), decodeReceipts(root.receipts));
    if ('refused' in result) {
      const { field, message } = result.refused;
      return leadsTo(field, place.path) ? undefined : `is refused for ${field}: ${message}`;
    }
    return acceptanceProblem(scene, place, change, result.proven);
  } catch (error) {
    const field = (error as { field?: string }).field;
    return field && leadsTo(field, place.path) ? undefined : `throws ${error}`;
  } finally {
    undo();
  }
}

function acceptanceProblem(scene: Scene, { path }: Place, change: Change, proven: ProvenBlock) {
  if (scene.proven.unproven?.what === 'l1Fee' && path.endsWith('.l1Fee')) return undefined;
  if (isStateSync(scene, path)) return undefined;
  try {
    expect(proven).toEqual(scene.proven);
  } catch {
    return 'changes the figures unnoticed';
  }
  return change.isDeletion || isUncovered(scene, path) ? undefined : 'is unnoticed';
}

/** Polygon's state-sync pseudo-transaction, and its receipt, are in no root: see hashed-body.ts. */
function isStateSync({ chain, block }: Scene, path: string): boolean {
  const isLast =
    Number(/\[(\d+)\]/.exec(path)?.[1] ?? block.transactions.length - 1) === block.transactions.length - 1;
  const hasOne = chain.rules.family === 'polygon' && block.transactions.at(-1)?.gas === '0x0';
  return hasOne && isLast;
}

function isUncovered({ chain, block }: Scene, path: string): boolean {
  const index = /^(?:block\.transactions|receipts)\[(\d+)\]/.exec(path)?.[1];
  const type = index === undefined ? undefined : Number(block.transactions[Number(index)]?.type ?? 0);
  return UNCOVERED.some(
    ({ path: uncovered, types, before = Infinity, chain: only = chain.name }) =>
      uncovered.test(path) &&
      only === chain.name &&
      (!types || (type !== undefined && types.includes(type))) &&
      Number(block.timestamp) < before,
  );
}

/** Returns whether the field of a refusal leads an operator to the changed place. */
function leadsTo(field: string, path: string): boolean {
  const [, element, list] = /^(?:block\.)?((transactions|receipts)(?:\[\d+\])?)(?:\.|$)/.exec(path) ?? [];
  if (!list || !element) return ['hash', path].includes(field) || `block.${field}` === path;
  return (
    field.startsWith(element) ||
    [`${list}Root`, 'receipts'].includes(field) ||
    (element === list && field.startsWith('receipts['))
  );
}

/** Whole blocks take too long: of the larger ones, that many places are changed. */
const MAX_PLACES = 12;

function sample<T extends object>(list: readonly T[], random: Random): readonly T[] {
  if (list.length <= MAX_PLACES) return list;
  return Array.from({ length: MAX_PLACES }, () => random.pick(list));
}

test.each(completeBlocks)(
  '%s is refused with any value changed that a figure or a root depends on',
  (name, folder) => {
    const random = randomFrom(1, name);
    const scene = sceneOf(folder, name);
    const root = { block: scene.block, receipts: scene.receipts };
    const places = placesIn(root);
    expect(places.length).toBeGreaterThan(15);
    const violations = (folder === fullBlockFolders.small ? places : sample(places, random)).flatMap(
      (place) =>
        changesOf(place, random).flatMap((change) => {
          const problem = violation(scene, place, change, root);
          return problem ? [`${place.path} ${change.name} ${problem}`] : [];
        }),
    );
    expect(violations).toEqual([]);
  },
);
