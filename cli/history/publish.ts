import { plannedFirstDay } from '../../core/days/first-day.ts';
import { reportedBy } from '../../core/figures/block.ts';
import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import { beginCoverage } from '../../core/store/chain/commit.ts';
import { archive } from '../../core/transitions/archive.ts';
import { interrupted } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';
import type { BoundedDay } from './audit.ts';

/** Stores the days that the table lacks, and the new audit in those that this file brought before. @returns their number */
export async function publish(
  { store, chain, from }: ServedChain,
  days: readonly BoundedDay[],
  origin: ArchiveOrigin,
): Promise<number> {
  await beginCoverage(store, await plannedFirstDay(store, chain, from, Date.now()));
  let published = 0;
  for (const { figures, hosts } of days) {
    interrupted.throwIfAborted();
    const isPublished = await archive(store, figures, {
      softwareVersion: SOFTWARE_VERSION,
      ingestedAt: new Date(Date.now()),
      hosts: [],
      evidence: 'archived',
      provenBlocks: 0,
      finality: reportedBy(hosts),
      archive: origin,
    });
    if (isPublished) published++;
  }
  return published;
}
