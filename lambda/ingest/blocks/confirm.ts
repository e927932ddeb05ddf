import { pMapIterable } from 'p-map';
import type { BlockHeader, KnownBlock } from '../../chains/block.ts';
import { type Fetched, fetched, type NoEndpoint, requestWithRetry } from '../../rpc/retry.ts';
import { type Source, upstreamsFor } from '../endpoints.ts';
import type { Disputed, NotFinalYet, Orphaned } from '../outcomes.ts';
import { orphaned } from '../reorg.ts';
import { crossCheck } from './cross-check.ts';
import { linkProblem, type Parent } from './link.ts';
import { readBlock, readBlockFrom, type SummedBlock } from './read.ts';

/** The place where a stream of blocks begins: after a known block, or with genesis. */
export interface Start extends Parent {
  readonly block?: KnownBlock | undefined;
}

/** The reason why a stream of blocks ended. */
export type StreamEnd = { readonly kind: 'head reached' } | NoEndpoint | Orphaned | Disputed | NotFinalYet;

/** Blocks read ahead. The endpoints' health decides how many calls that makes at once. */
const BLOCKS_AHEAD = 64;

/**
 * Reads the blocks after `start` up to the finalized head, many at a time, and yields them in order. A block is yielded
 * once its child names it as parent, or once it is the head itself: so every yielded block hangs on the finalized hash.
 * @returns why it ended
 */
export async function* confirmedBlocks(source: Source, start: Start): AsyncGenerator<SummedBlock, StreamEnd> {
  const { chain, head } = source;
  const first = start.block ? start.block.number + 1 : 0;
  const blocks = pMapIterable(numbers(first, head.number), (number) => readBlock(source, number), {
    concurrency: BLOCKS_AHEAD,
  });
  let parent = start;
  let unconfirmed: SummedBlock | undefined;
  for await (const block of blocks) {
    if (block.kind !== 'fetched') return block;
    const read = unconfirmed ? [unconfirmed, block.value] : [block.value];
    const linked = await link(source, parent, read, (found) => linkProblem(chain.name, parent, found));
    if (linked.kind !== 'fetched') return linked;
    const [confirmed] = linked.value;
    if (unconfirmed && confirmed) {
      yield confirmed;
      parent = { block: confirmed, notBefore: confirmed.timestamp };
    }
    unconfirmed = linked.value.at(-1);
  }
  if (unconfirmed) {
    const last = await link(
      source,
      parent,
      [unconfirmed],
      (found) => linkProblem(chain.name, parent, found) ?? headProblem(chain.name, found[0], head),
    );
    if (last.kind !== 'fetched') return last;
    yield* last.value;
  }
  return { kind: 'head reached' };
}

/**
 * Returns blocks that link: as they were read, or else all of them read again from a single endpoint. Which of the blocks
 * is wrong cannot be told from two endpoints, but one endpoint that has all of them right settles it.
 */
async function link(
  source: Source,
  parent: Start,
  read: readonly SummedBlock[],
  problemOf: (blocks: readonly SummedBlock[]) => string | undefined,
): Promise<Fetched<readonly SummedBlock[]> | Orphaned | Disputed | NotFinalYet> {
  if (problemOf(read) === undefined) return fetched(read);
  const last = Math.max(...read.map(({ number }) => number));
  const again = await requestWithRetry(
    source.context,
    upstreamsFor(source, last),
    `${source.chain.name} block ${last} and its parent`,
    async (rpc, { endpoint: { host } }) => {
      const attempts = await Promise.all(read.map(({ number }) => readBlockFrom(source, number, rpc, host)));
      const blocks: SummedBlock[] = [];
      for (const attempt of attempts) {
        if ('refused' in attempt) return attempt;
        blocks.push(attempt.value);
      }
      const refused = problemOf(blocks);
      return refused === undefined ? { value: blocks } : { refused };
    },
  );
  if (again.kind === 'fetched' || !parent.block) return again;
  const checked = await crossCheck(source, parent.block);
  return checked.kind === 'orphaned' ? orphaned(source.chain.name, parent.block) : again;
}

const headProblem = (chain: string, block: SummedBlock | undefined, head: BlockHeader): string | undefined =>
  block?.hash === head.hash && block.timestamp === head.timestamp
    ? undefined
    : `${chain} block ${head.number}: read as ${block?.hash} at ${block?.timestamp}, but finalized as ${head.hash} at ${head.timestamp}`;

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
