import { isDeepStrictEqual } from 'node:util';
import type { Alteration, DecodedCall, Scene } from './fault-scene.ts';
import { headerAlterations } from './header-faults.ts';
import type { NodeResponse } from './json-rpc-server.ts';
import type { Random } from './random.ts';
import { hex, type Json, type RandomBlock } from './random-block.ts';
import { receiptAlterations } from './receipt-faults.ts';
import { type Refused, refusals } from './refusals.ts';
import { respelled } from './spelling.ts';

/*
 * Known faults of nodes, and more. Each kind occurs at random and independently, so that one response, and the responses of one
 * block, may have several.
 *
 * Excluded are faults that no check can find: another plausible value (gasUsed with a matching cumulativeGasUsed, a price, an
 * L1 fee, an omitted operator fee, a miner), the same transactions removed from the end of a body and of its receipts, and a
 * block that is called final and is not.
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

/** Harmless differences between nodes, which a reader must accept in every response. */
export const harmlessKinds: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'genesis-receipts',
  'state-sync-receipt',
  'price-in-transaction',
  'spelling',
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

/** Returns a header or receipts, perhaps of another block, with all drawn faults. */
export function blockResponse(drawn: Drawn, scene: Scene): FaultyResponse {
  const replaced = keysOf(replacements).flatMap((kind) => {
    const block = drawn.has(kind) ? replacements[kind](scene) : undefined;
    return block && !isDeepStrictEqual(rightOf(scene.request, block), rightOf(scene.request, scene.block))
      ? [{ answer: block, kinds: [kind] }]
      : [];
  });
  const { answer: block, kinds } =
    replaced.length > 0 ? scene.random.pick(replaced) : { answer: scene.block, kinds: [] };
  const faulty =
    scene.request.what === 'receipts'
      ? altered(receiptAlterations, drawn, block.receipts, { ...scene, block })
      : altered(headerAlterations, drawn, headerOf(scene.request, block), { ...scene, block });
  return { answer: { result: faulty.answer }, kinds: [...kinds, ...faulty.kinds] };
}

/** Returns the correct response to a call for a block. */
export const rightOf = (request: DecodedCall, block: RandomBlock): unknown =>
  request.what === 'receipts' ? block.receipts : headerOf(request, block);

const headerOf = ({ isFull }: DecodedCall, { header, transactions }: RandomBlock): Json =>
  isFull ? { ...header, transactions } : header;

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
