import type { BlockHeader, SeenBlock } from '../../chains/block.ts';
import type { Fetched, NoEndpoint } from '../../rpc/retry.ts';
import type { Disputed } from '../outcomes.ts';
import { parentProblem } from './link.ts';

type SeenHeader = BlockHeader & SeenBlock;

/** Reads the header of a block; `problemOf` returns why a header is not acceptable. */
export type HeaderAt = (
  number: number,
  problemOf: (header: BlockHeader) => string | undefined,
) => Promise<Fetched<SeenHeader>>;

/**
 * Finds the first block at or after a time, and the block before it, by a lower-bound search: block times change and
 * timestamps repeat, so numbers cannot be derived. The search walks back from the head in growing steps, because nodes that
 * keep only recent blocks must not get requests for much older ones.
 * @param time seconds
 * @param head a block at or after that time
 * @returns `before` is absent when genesis itself is at or after the time
 */
export async function findFirstBlock(
  chain: string,
  time: number,
  head: SeenHeader,
  headerAt: HeaderAt,
): Promise<
  { readonly kind: 'found'; readonly first: SeenHeader; readonly before?: SeenHeader } | NoEndpoint | Disputed
> {
  let before: SeenHeader | undefined;
  let first = head;
  let missing: NoEndpoint | undefined;
  // The newest block known to lie before the boundary, or to be so old that no endpoint has it.
  let low = -1;
  let step = 1;
  while (first.number > low + 1) {
    const next = low < 0 ? Math.max(first.number - step, 0) : low + Math.floor((first.number - low) / 2);
    step *= 2;
    const read = await headerAt(next, timeBetween(chain, before?.timestamp ?? 0, first.timestamp));
    if (read.kind === 'fetched' && read.value.timestamp >= time) first = read.value;
    else {
      if (read.kind === 'no endpoint') {
        if (!read.isUnavailable) return read;
        missing = read;
        before = undefined;
      } else before = read.value;
      low = next;
    }
  }
  if (!before) return missing ?? { kind: 'found', first };
  const problem = parentProblem(chain, before, first);
  return problem === undefined ? { kind: 'found', first, before } : { kind: 'disputed', reason: problem };
}

const timeBetween =
  (chain: string, earliest: number, latest: number) =>
  ({ number, timestamp }: BlockHeader): string | undefined =>
    timestamp >= earliest && timestamp <= latest
      ? undefined
      : `${chain} block ${number}: its timestamp ${timestamp} is not between ${earliest} and ${latest}, those of blocks around it`;
