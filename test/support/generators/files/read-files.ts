import type { AnchoredNetwork } from '#core/anchor/network.ts';
import type { EndOfBlocks } from '#core/blocks/block-source.ts';
import { createEraFiles } from '#core/blocks/era/era-files.ts';
import { fileBlocks } from '#core/blocks/files/file-blocks.ts';
import { type BlockFiles, eraFilesAmong, UnreadableError } from '#core/blocks/files/source.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { systemClock } from '#core/clock.ts';
import { dayOf } from '#core/figures/calendar.ts';
import { noDollars, type PriceSource } from '#core/figures/dollars.ts';
import { advance, type DayProgress, NO_PARENT, startDayProgress } from '#core/figures/progress.ts';
import { inMemory } from './era-files.ts';

const ETHEREUM = chainOf('ETHEREUM');

/** Returns era files in memory. */
export const filesInMemory = (files: ReadonlyMap<string, Buffer>): BlockFiles =>
  createEraFiles({
    host: 'mirror.example',
    list: async () => eraFilesAmong([...files.keys()]),
    open: async ({ name }) => {
      const bytes = files.get(name);
      if (!bytes) throw new UnreadableError('the mirror does not have it');
      return inMemory(bytes);
    },
  });

/** A source without nodes, whose anchor is after all files. */
const sourceOf = (chain: Chain): AnchoredNetwork => ({
  chain,
  evidence: 'proven',
  context: { clock: systemClock, signal: new AbortController().signal, onFault: () => {} },
  hosts: [],
  quorum: 1,
  isProofRequired: false,
  anchor: {
    number: Number.MAX_SAFE_INTEGER,
    hash: NO_PARENT,
    parentHash: NO_PARENT,
    timestamp: 0,
    hosts: [],
  },
});

/** The sums of each day in files, and why they end. */
export interface ReadFiles {
  readonly days: readonly DayProgress[];
  readonly end: EndOfBlocks;
}

/** Proves all blocks of files in order, and sums them by day. */
export async function readFiles(
  files: BlockFiles,
  chain: Chain = ETHEREUM,
  feed?: PriceSource,
): Promise<ReadFiles> {
  const source = fileBlocks(files, sourceOf(chain));
  const [last, [reader], ends] = [await source.lastBlock(), source.headers(), await files.ends()];
  if (last.kind === 'no endpoint') return { days: [], end: { ...last, contradictedBy: [] } };
  const first = ends.files[0]?.first ?? 0;
  const header = await reader?.read(sourceOf(chain), first);
  const before =
    header?.kind === 'fetched' && first > 0
      ? { number: first - 1, hash: header.value.parentHash }
      : undefined;
  const blocks = source.blocks({ block: before, notBefore: 0 }, last.value, feed);
  const days: DayProgress[] = [];
  for (;;) {
    const { done, value } = await blocks.next();
    if (done) return { days, end: value };
    const { number, parentHash, timestamp } = value;
    const begun = startDayProgress(dayOf(timestamp), { number: number - 1, hash: parentHash });
    if (days.at(-1)?.day !== begun.day) days.push({ ...begun, dollars: feed && noDollars(feed) });
    days.push(advance(days.pop() ?? begun, value));
  }
}
