import { isDeepStrictEqual } from 'node:util';
import { hex, blockResponse as nodeBlock, sealBlock } from '#test/support/generators/blocks/seal.ts';
import { respelled } from '#test/support/generators/blocks/spelling.ts';
import { NO_CONSTRAINTS } from '#test/support/generators/chains/nitro.ts';
import { headerAlterations } from '#test/support/generators/lies/header-faults.ts';
import { type LieKind, lieKinds, lies } from '#test/support/generators/lies/lies.ts';
import { receiptAlterations } from '#test/support/generators/lies/receipt-faults.ts';
import type { Random } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import { type Alteration, type DecodedCall, isProvable, type Scene } from './fault-scene.ts';
import type { NodeResponse } from './json-rpc-server.ts';
import { type Refused, refusals } from './refusals.ts';

/*
 * Known faults of nodes, and more. Each kind occurs at random and independently, so that one response, and the responses of one
 * block, may have several. Only lies are the same in all responses of a node about a block.
 *
 * Excluded is what no check of one block can find, because its hash does not commit to it:
 * - any plausible value in a block of Arbitrum before Nitro, and an L1 fee of Optimism before Bedrock;
 * - whether the body lists Polygon's pseudo-transaction, whose hash anyone can compute;
 * - a whole chain of blocks with another last hash, or a block that is called final and is not. That is for several endpoints to
 *   decide (test/simulation/liars.slow.test.ts).
 */

/** Returns another complete block than the requested one. */
const replacements = {
  'other-block': (scene) =>
    scene.request.what === 'header' && scene.request.by === 'number' ? neighbour(scene) : undefined,
  'receipts-shifted': (scene) => (scene.request.what === 'receipts' ? neighbour(scene) : undefined),
  // Drawn separately, so that the header may be orphaned and the receipts not.
  orphan: ({ request, block, world }) =>
    request.by === 'finalized' ? undefined : world.siblings[Number(block.header.number)],
  'finalized-orphan': ({ request, block, world }) =>
    request.by === 'finalized' ? world.siblings[Number(block.header.number)] : undefined,
  'finalized-stale': ({ request, block, world, random }) =>
    request.by === 'finalized' ? world.blocks[random.below(Number(block.header.number) + 1)] : undefined,
} satisfies Record<string, (scene: Scene) => RandomBlock | undefined>;

const neighbour = ({ world, block: { header }, random }: Scene) =>
  world.blocks[Number(header.number) + random.pick([-1, 1])];

/** Alters responses that are neither blocks nor receipts. */
const textAlterations = {
  'raw-changed': (raw, { request }) => (request.what === 'raw transaction' ? `${raw}c0` : undefined),
  'constraints-garbled': (constraints, { request }) =>
    request.what === 'constraints' ? `${constraints}`.slice(0, 66) : undefined,
} satisfies Record<string, Alteration<unknown>>;

/** A lie that is sealed: a valid block with the right parent, but another hash. */
const FORGED = 'forged';

export type FaultKind =
  | keyof typeof refusals
  | keyof typeof replacements
  | LieKind
  | typeof FORGED
  | keyof typeof headerAlterations
  | keyof typeof receiptAlterations
  | keyof typeof textAlterations
  | 'wrong-chain-id';

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

export const faultKinds: readonly FaultKind[] = [
  ...new Set<FaultKind>([
    ...keysOf(refusals),
    'wrong-chain-id',
    ...keysOf(replacements),
    ...lieKinds,
    FORGED,
    ...keysOf(headerAlterations),
    ...keysOf(receiptAlterations),
    ...keysOf(textAlterations),
  ]),
];

/** Faults that a node repeats in all its responses about a block. */
export const consistentKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([...lieKinds, FORGED]);

/** Differences between nodes that a reader must accept in every response. */
export const harmlessKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'genesis-receipts',
  'state-sync-receipt',
  'spelling',
  'parity-once',
  'type-missing',
  'sender-changed',
]);

/** Kinds that befall a node whose responses are true, if it responds. */
export const honestKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  ...keysOf(refusals).filter((kind) => kind !== 'receipts-empty'),
  ...harmlessKinds,
]);

type Drawn = ReadonlySet<FaultKind>;

/** A response with the kinds of its visible faults. */
export interface FaultyResponse<T = NodeResponse> {
  readonly answer: T;
  readonly kinds: readonly FaultKind[];
}

/** Returns a refusal if one was drawn; of several, one is visible. */
export function refusalOf(drawn: Drawn, refused: Refused): FaultyResponse | undefined {
  const faulty = keysOf(refusals).flatMap((kind) => {
    const answer = drawn.has(kind) ? refusals[kind](refused) : undefined;
    return answer && !isDeepStrictEqual(answer, refused.right) ? [{ answer, kinds: [kind] }] : [];
  });
  return faulty.length > 0 ? refused.random.pick(faulty) : undefined;
}

/** Returns the chain ID or the number of the newest block. */
export function chainResponse(
  drawn: Drawn,
  { what }: DecodedCall,
  right: string,
  random: Random,
): FaultyResponse {
  const kinds: FaultKind[] = [];
  let result: unknown = right;
  if (what === 'chain id' && drawn.has('wrong-chain-id')) {
    kinds.push('wrong-chain-id');
    result = hex(Number(right) + 1 + random.below(1000));
  }
  const spelled = drawn.has('spelling') ? respelled(result, random) : result;
  return { answer: { result: spelled }, kinds: spelled === result ? kinds : [...kinds, 'spelling'] };
}

/**
 * Returns a response about a block, perhaps about another one, with all drawn faults.
 * @param steady the same for all responses of a node about this block
 */
export function blockResponse(drawn: Drawn, scene: Scene, steady: Random): FaultyResponse {
  const replaced = keysOf(replacements).flatMap((kind) => {
    const block = drawn.has(kind) ? replacements[kind](scene) : undefined;
    return block && isVisible(scene, block) ? [{ answer: block, kinds: [kind] as FaultKind[] }] : [];
  });
  const { answer: block, kinds } =
    replaced.length > 0 ? scene.random.pick(replaced) : lieAbout(drawn, scene, steady);
  const faulty = alteredResponse(drawn, { ...scene, block });
  return { answer: { result: faulty.answer }, kinds: [...kinds, ...faulty.kinds] };
}

function alteredResponse(drawn: Drawn, scene: Scene): FaultyResponse<unknown> {
  const { request, block } = scene;
  switch (request.what) {
    case 'receipts':
      return altered(receiptAlterations, drawn, block.receipts, scene);
    case 'header':
      return altered(headerAlterations, drawn, nodeBlock(block, request.isFull ?? false), scene);
    default:
      return altered<unknown, keyof typeof textAlterations>(
        textAlterations,
        drawn,
        rightOf(request, block),
        scene,
      );
  }
}

const isVisible = ({ request, block }: Scene, other: RandomBlock): boolean =>
  !isDeepStrictEqual(rightOf(request, other), rightOf(request, block));

/** Tells one of the drawn lies about a block that can be proven. Not every response shows it. */
function lieAbout(drawn: Drawn, scene: Scene, steady: Random): FaultyResponse<RandomBlock> {
  const { block, world, request } = scene;
  const honest = { answer: block, kinds: [] };
  if (!isProvable(world.chain, block)) return honest;
  const lying = { ...scene, random: steady };
  const told = [...drawn].flatMap((kind) => {
    const isForged = kind === FORGED && request.by === 'number';
    const answer = isForged ? forge(lying) : isLie(kind) ? lies[kind](block, lying) : undefined;
    return answer && !isDeepStrictEqual(answer, block) ? [{ answer, kinds: [kind] }] : [];
  });
  if (told.length === 0) return honest;
  const { answer, kinds } = steady.pick(told);
  return { answer, kinds: isVisible(scene, answer) ? kinds : [] };
}

const isLie = (kind: FaultKind): kind is LieKind => kind in lies;

const FORGEABLE: readonly LieKind[] = [
  'last-transaction-cut',
  'transaction-cut',
  'gas-price-raised',
  'tip-raised',
  'gas-used-raised',
  'timestamp-moved',
  'receipt-changed',
  'miner-changed',
];

/** Tells a lie about a block and seals it. */
function forge(scene: Pick<Scene, 'world' | 'random' | 'name' | 'block'>): RandomBlock | undefined {
  const { world, block, random } = scene;
  const { l1, stateSync } = block;
  // The receipt alone has no place in a body.
  if (stateSync) return undefined;
  const told = lies[random.pick(FORGEABLE)](block, scene);
  return told && { ...sealBlock(world.chain, told), ...(l1 && { l1 }) };
}

/** Returns the correct response to a call about a block. */
export function rightOf({ what, isFull, call }: DecodedCall, block: RandomBlock): unknown {
  switch (what) {
    case 'receipts':
      return block.receipts;
    case 'raw transaction':
      return block.transactions[Number(call.params[1])]?.raw ?? null;
    case 'constraints':
      return NO_CONSTRAINTS;
    default:
      return nodeBlock(block, isFull ?? false);
  }
}

function altered<T, K extends FaultKind>(
  alterations: Readonly<Record<K, Alteration<T>>>,
  drawn: Drawn,
  right: T,
  scene: Scene,
): FaultyResponse<T> {
  let answer = right;
  const kinds = keysOf(alterations).filter((kind) => {
    const other = drawn.has(kind) ? alterations[kind](answer, scene) : undefined;
    if (other === undefined || isDeepStrictEqual(other, answer)) return false;
    answer = other;
    return true;
  });
  return { answer, kinds };
}
