import { isDeepStrictEqual } from 'node:util';
import type { Alteration, Asked, Scene } from './fault-scene.ts';
import { headerAlterations } from './header-faults.ts';
import type { Answer } from './json-rpc-server.ts';
import type { Random } from './random.ts';
import { hex, type Json, type RandomBlock } from './random-block.ts';
import { receiptAlterations } from './receipt-faults.ts';
import { type Refused, refusals } from './refusals.ts';
import { respelled } from './spelling.ts';

/*
 * What nodes do wrong (CHAINS.md), and more. Each kind comes by chance and apart from the others, so that faults of
 * several kinds meet in one answer, and in the answers that make up one block.
 *
 * Not among them is what no check of the answers can find: another plausible value (gasUsed with cumulativeGasUsed to
 * match, a price, an L1 fee, an operator fee left out whole, a miner), the same transactions cut from the end of a
 * body and of its receipts, and a block called final that is not.
 */

/** Another block than the asked one, whole. */
const replacements = {
  'other-block': (scene) =>
    scene.asked.what === 'header' && scene.asked.by === 'number' ? neighbour(scene) : undefined,
  'receipts-shifted': (scene) => (scene.asked.what === 'receipts' ? neighbour(scene) : undefined),
  // Header and receipts are drawn apart, so that one may be the orphan's and the other the block's.
  orphan: ({ asked, block, world }) =>
    asked.by === 'finalized' ? undefined : world.siblings[Number(block.header.number)],
  'finalized-orphan': ({ asked, block, world }) =>
    asked.by === 'finalized' ? world.siblings[Number(block.header.number)] : undefined,
  'finalized-stale': ({ asked, block, world, random }) =>
    asked.by === 'finalized' ? world.blocks[random.below(Number(block.header.number) + 1)] : undefined,
} satisfies Record<string, (scene: Scene) => RandomBlock | undefined>;

const neighbour = ({ world, block: { header }, random }: Scene) =>
  world.blocks[Number(header.number) + random.pick([-1, 1])];

export type FaultKind =
  | keyof typeof refusals
  | keyof typeof replacements
  | keyof typeof headerAlterations
  | keyof typeof receiptAlterations
  | 'wrong-chain-id';

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

export const faultKinds: readonly FaultKind[] = [
  ...new Set<FaultKind>([
    ...keysOf(refusals),
    'wrong-chain-id',
    ...keysOf(replacements),
    ...keysOf(headerAlterations),
    ...keysOf(receiptAlterations),
  ]),
];

/** Differences between nodes rather than faults: whoever reads has to get by even if every answer has them. */
export const harmlessKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'genesis-receipts',
  'state-sync-receipt',
  'price-in-transaction',
  'spelling',
]);

type Drawn = ReadonlySet<FaultKind>;

/** What is answered, and the kinds of faults that are to be seen in it. */
export interface Told<T = Answer> {
  readonly answer: T;
  readonly kinds: readonly FaultKind[];
}

/** An answer without what was asked for, if one was drawn; of several drawn, one is seen. */
export function toldInstead(drawn: Drawn, refused: Refused): Told | undefined {
  const told = keysOf(refusals).flatMap((kind) => {
    const answer = drawn.has(kind) ? refusals[kind](refused) : undefined;
    return answer && !isDeepStrictEqual(answer, refused.right) ? [{ answer, kinds: [kind] }] : [];
  });
  return told.length > 0 ? refused.random.pick(told) : undefined;
}

/** The chain's ID, or the number of the newest block. */
export function toldOfChain(drawn: Drawn, { what }: Asked, right: string, random: Random): Told {
  const kinds: FaultKind[] = [];
  let result: unknown = right;
  if (what === 'chain id' && drawn.has('wrong-chain-id')) {
    kinds.push('wrong-chain-id');
    result = hex(Number(right) + 1 + random.below(1000));
  }
  const spelled = drawn.has('spelling') ? respelled(result, random) : result;
  return { answer: { result: spelled }, kinds: spelled === result ? kinds : [...kinds, 'spelling'] };
}

/** A header or receipts; of another block perhaps, and with all that was drawn besides. */
export function toldOfBlock(drawn: Drawn, scene: Scene): Told {
  const replaced = keysOf(replacements).flatMap((kind) => {
    const block = drawn.has(kind) ? replacements[kind](scene) : undefined;
    return block && !isDeepStrictEqual(rightOf(scene.asked, block), rightOf(scene.asked, scene.block))
      ? [{ answer: block, kinds: [kind] }]
      : [];
  });
  const { answer: block, kinds } =
    replaced.length > 0 ? scene.random.pick(replaced) : { answer: scene.block, kinds: [] };
  const told =
    scene.asked.what === 'receipts'
      ? altered(receiptAlterations, drawn, block.receipts, { ...scene, block })
      : altered(headerAlterations, drawn, headerOf(scene.asked, block), { ...scene, block });
  return { answer: { result: told.answer }, kinds: [...kinds, ...told.kinds] };
}

/** What a call for a block is rightly answered with. */
export const rightOf = (asked: Asked, block: RandomBlock): unknown =>
  asked.what === 'receipts' ? block.receipts : headerOf(asked, block);

const headerOf = ({ isFull }: Asked, { header, transactions }: RandomBlock): Json =>
  isFull ? { ...header, transactions } : header;

function altered<T, K extends FaultKind>(
  alterations: Readonly<Record<K, Alteration<T>>>,
  drawn: Drawn,
  right: T,
  scene: Scene,
): Told<T> {
  let answer = right;
  const kinds = keysOf(alterations).filter((kind) => {
    const other = drawn.has(kind) ? alterations[kind](answer, scene) : undefined;
    if (other === undefined || isDeepStrictEqual(other, answer)) return false;
    answer = other;
    return true;
  });
  return { answer, kinds };
}
