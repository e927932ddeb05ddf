import type { Chain } from '../chains/chains.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { Clock } from '../clock.ts';
import type { probeEndpoints } from '../ingest/endpoints.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { type EraSums, getEraSums, type StoredEraSums, saveEraSums } from '../store/era-sums.ts';
import { type Confirmation, confirmLastBlock } from './confirm-file.ts';
import { completeDaysOf, tieFiles } from './join.ts';
import { publishDays } from './publish.ts';
import { blocksIn, isSummed } from './sum-file.ts';

/** The end of a run over one file. */
export type FileEnd =
  /** Its sums are stored, and the days within it are final. `note` says why the last hash is not confirmed. */
  | { readonly kind: 'proven'; readonly days: readonly UtcDay[]; readonly note?: string }
  /** The next run continues. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The chain that files are settled on. */
export interface Settling {
  readonly chain: Chain;
  readonly store: ChainStore;
  /** First day of the chain's schedule. */
  readonly from: UtcDay;
  /** Finds the endpoints that confirm hashes. */
  readonly probe: () => ReturnType<typeof probeEndpoints>;
  readonly clock: Clock;
}

/**
 * Stores the sums of a file, with the endpoints that confirm its last hash, and publishes the days that lie within it. Nothing is
 * published on the word of the file alone.
 * @param before the stored sums that `sums` continue
 */
export async function settleEraFile(
  settling: Settling,
  before: StoredEraSums,
  sums: EraSums,
): Promise<FileEnd> {
  const { chain, store, from, clock } = settling;
  const confirmation = await confirmationOf(settling, sums);
  const settled: EraSums = {
    ...sums,
    confirmedBy: confirmation?.kind === 'confirmed' ? confirmation.hosts : [],
    ...(confirmation?.kind === 'foreign' && { problem: confirmation.reason, days: [] }),
  };
  if (!(await saveEraSums(store, before, settled))) {
    // Another run of the same file was faster. It may have summed fewer blocks, or read a damaged copy of the file.
    const stored = await getEraSums(store, sums.name);
    const isBetter = stored.sums && rankOf(stored.sums) >= rankOf(settled);
    return settleEraFile(settling, stored, isBetter ? stored.sums : settled);
  }
  if (settled.problem !== undefined) return { kind: 'refused', reason: settled.problem };
  if (!confirmation) return { kind: 'unfinished' };
  const complete = tieFiles([settled]).flatMap((run) => completeDaysOf(run, chain.firstDay));
  const { days, conflicts } = await publishDays(store, from, complete, clock.now());
  const [conflict] = conflicts;
  if (conflict) return { kind: 'refused', reason: conflict.reason };
  return { kind: 'proven', days, ...(confirmation.kind === 'unconfirmed' && { note: confirmation.reason }) };
}

/** Ranks the sums of runs over one file. Only those of all its blocks are confirmed, and refused ones have none. */
const rankOf = (sums: EraSums): number => blocksIn(sums) + (sums.confirmedBy.length > 0 ? 1 : 0);

/** Returns undefined for a file that is refused or not summed to its end. */
async function confirmationOf({ probe }: Settling, sums: EraSums): Promise<Confirmation | undefined> {
  const last = sums.days.at(-1)?.last;
  if (!isSummed(sums) || !last) return undefined;
  // A final hash stays final, whether endpoints respond now or not.
  if (sums.confirmedBy.length > 0) return { kind: 'confirmed', hosts: sums.confirmedBy };
  const probed = await probe();
  return probed.kind === 'probed'
    ? confirmLastBlock(probed.source, last)
    : { kind: 'unconfirmed', reason: probed.reason };
}
