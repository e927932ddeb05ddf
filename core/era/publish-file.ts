import type { Chain } from '../chains/chains.ts';
import type { Clock } from '../clock.ts';
import type { UtcDay } from '../figures/calendar.ts';
import { voteOn } from '../ingest/anchor.ts';
import type { probeEndpoints } from '../ingest/probe-endpoints.ts';
import { type EraSums, getEraSums, type StoredEraSums, saveEraSums } from '../store/era-sums.ts';
import { reconcileDays } from '../store/reconcile.ts';
import type { ChainStore } from '../store/table.ts';
import { publishFiles } from './join-files.ts';
import { blocksIn, isSummed } from './sum-file.ts';

/** The end of a run over one file. */
export type FileOutcome =
  /** Its sums are stored, and the days within it are final. `note` says why the last hash is not confirmed. */
  | { readonly kind: 'proven'; readonly days: readonly UtcDay[]; readonly note?: string }
  /** The next run continues. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The chain of the files, its table and its endpoints. */
export interface EraFileContext {
  readonly chain: Chain;
  readonly store: ChainStore;
  /** First day of the chain's schedule. */
  readonly from: UtcDay;
  /** Finds the endpoints that confirm hashes. */
  readonly probe: () => ReturnType<typeof probeEndpoints>;
  readonly clock: Clock;
  /** True when the word of hosts confirms nothing: only days that the chain proves do. */
  readonly isProofRequired: boolean;
}

/**
 * Stores the sums of a file, with the endpoints that confirm its last hash, and publishes the days that lie within it. Nothing is
 * published on the word of the file alone.
 * @param before the stored sums that `sums` continue
 */
export async function publishEraFile(
  context: EraFileContext,
  before: StoredEraSums,
  sums: EraSums,
): Promise<FileOutcome> {
  const { chain, store, from, clock } = context;
  const confirmation = await confirmationOf(context, sums);
  const confirmed: EraSums = {
    ...sums,
    confirmedBy: confirmation?.kind === 'confirmed' ? confirmation.hosts : [],
    ...(confirmation?.kind === 'foreign' && { problem: confirmation.reason, days: [] }),
  };
  if (!(await saveEraSums(store, before, confirmed))) {
    // Another run of the same file was faster. It may have summed fewer blocks, or read a damaged copy of the file.
    const stored = await getEraSums(store, sums.name);
    const isBetter = stored.sums && rankOf(stored.sums) >= rankOf(confirmed);
    return publishEraFile(context, stored, isBetter ? stored.sums : confirmed);
  }
  if (confirmed.problem !== undefined) return { kind: 'refused', reason: confirmed.problem };
  if (!confirmation) return { kind: 'unfinished' };
  const { firstDay } = chain;
  const rules = { firstDay, now: clock.now(), isProofRequired: context.isProofRequired };
  const { days, conflicts } = await publishFiles(store, [confirmed], rules);
  if (days.length > 0) await reconcileDays(store, from, days);
  const [conflict] = conflicts;
  if (conflict) return { kind: 'refused', reason: conflict.reason };
  return { kind: 'proven', days, ...(confirmation.kind === 'unconfirmed' && { note: confirmation.reason }) };
}

/** Ranks the sums of runs over one file. Only those of all its blocks are confirmed, and refused ones have none. */
const rankOf = (sums: EraSums): number => blocksIn(sums) + (sums.confirmedBy.length > 0 ? 1 : 0);

/** The answer of the hosts about the last block of a file. */
type Confirmation =
  | { readonly kind: 'confirmed'; readonly hosts: readonly string[] }
  /** They agree on another block. */
  | { readonly kind: 'foreign'; readonly reason: string }
  /** A file after it or a final day may confirm its blocks. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

const unconfirmed = (reason: string): Confirmation => ({ kind: 'unconfirmed', reason });

/**
 * Lets the hosts vote on the last block of a file, from which all its blocks follow. A single host cannot vouch for a block that is not
 * its final one.
 * @returns undefined for a file that is refused or not summed to its end
 */
async function confirmationOf(
  { probe, isProofRequired }: EraFileContext,
  sums: EraSums,
): Promise<Confirmation | undefined> {
  const last = sums.days.at(-1)?.last;
  if (!isSummed(sums) || !last) return undefined;
  // A final hash stays final, whether endpoints respond now or not.
  if (sums.confirmedBy.length > 0 && !isProofRequired) return { kind: 'confirmed', hosts: sums.confirmedBy };
  const probed = await probe();
  if (probed.kind !== 'probed') return unconfirmed(probed.reason);
  const { anchor, quorum } = probed.source;
  const { number, hash } = last;
  if (number > anchor.number) return unconfirmed(`block ${number} is not final yet`);
  const vote = await voteOn(probed.source, { number, hash });
  if (vote.kind === 'undecided') return unconfirmed(vote.reason);
  if (vote.kind === 'contradicted') {
    const reason = `it is not of this chain: its block ${number} is ${hash}, and the hosts report ${vote.by.hash}`;
    return { kind: 'foreign', reason };
  }
  if (isProofRequired)
    return unconfirmed(
      `hosts alone cannot confirm block ${number}: the days of the file wait for the day after them`,
    );
  if (quorum > 1) return { kind: 'confirmed', hosts: vote.hosts };
  return unconfirmed(
    `a quorum of 1 cannot confirm block ${number}: the days of the file wait for the day after them`,
  );
}
