import { voteOn } from '../../anchor/anchor.ts';
import type { Source } from '../../anchor/network.ts';
import { askLater } from '../../anchor/suspects.ts';
import type { SummedBlock } from '../../figures/block.ts';
import type { Fetched } from '../../rpc/failover.ts';
import { linkProblem, type Parent } from '../link-problems.ts';
import { readBlock } from './read-block.ts';

/** Reads blocks before they are needed. */
export function createAhead(source: Source) {
  const blocks = new Map<number, Promise<Fetched<SummedBlock>>>();
  const givers = new Map<number, string>();
  const start = async (number: number) => {
    const block = readBlock(source, number);
    blocks.set(number, block);
    // A failure is reported when the stream comes that far.
    await block.then(
      (read) => void (read.kind === 'fetched' && givers.set(number, read.value.host)),
      () => {},
    );
    return number;
  };
  return {
    /** Reads a block, and returns its number. */
    read: start,
    take: async (number: number) => {
      const block = await (blocks.get(number) ?? readBlock(source, number));
      blocks.delete(number);
      givers.delete(number);
      return block;
    },
    /** Asks the host of a block later, and reads again what else it gave. */
    distrust: ({ number, host }: SummedBlock, reason: string) => {
      const { context, chain } = source;
      context.onFault(host, 'not canonical', `${host}: ${chain.name} block ${number}: ${reason}`);
      askLater(source, host);
      for (const [given, giver] of givers) if (giver === host) void start(given);
    },
  };
}

/** Hosts of which a majority can be honest beside a liar. */
const ENOUGH_TO_VOTE = 3;

/**
 * Returns blocks, of which those that do not link and that the hosts outvote are read again. Each that is outvoted costs its own host
 * alone: it is asked later.
 */
export async function withoutOutvoted(
  source: Source,
  ahead: ReturnType<typeof createAhead>,
  parent: Parent,
  read: readonly SummedBlock[],
): Promise<readonly SummedBlock[]> {
  const { chain, voters } = source;
  if (!linkProblem(chain.name, parent, read) || voters.length < ENOUGH_TO_VOTE) return read;
  const votes = await Promise.all(read.map(async (block) => ({ block, vote: await voteOn(source, block) })));
  for (const { block, vote } of votes) if (vote.kind === 'contradicted') ahead.distrust(block, vote.reason);
  const again = votes.map(async ({ block, vote }) => {
    const other = vote.kind === 'contradicted' ? await readBlock(source, block.number) : undefined;
    return other?.kind === 'fetched' ? other.value : block;
  });
  return Promise.all(again);
}
