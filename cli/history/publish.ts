import { plannedFirstDay, refreshCoverage } from '../../core/days/refresh-coverage.ts';
import { reportedBy } from '../../core/figures/block.ts';
import type { ArchiveOrigin } from '../../core/figures/day-figures.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import { type ArchivedDay, listArchivedDays, putOrigin } from '../../core/store/days/archives.ts';
import { getDay } from '../../core/store/days/days.ts';
import { putDay, replaceDay } from '../../core/store/days/write-day.ts';
import { interrupted } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';
import type { BoundedDay } from './audit.ts';

/** Stores the days that the table lacks, and the new audit in those that this file brought before. @returns their number */
export async function publish(
  { store, chain, from }: ServedChain,
  days: readonly BoundedDay[],
  archive: ArchiveOrigin,
): Promise<number> {
  const archived = new Map((await listArchivedDays(store)).map((day) => [day.figures.day, day]));
  const begin = await plannedFirstDay(store, chain, from, Date.now());
  await refreshCoverage(store, begin, [], 'begins');
  let published = 0;
  try {
    for (const day of days) {
      interrupted.throwIfAborted();
      if (await publishDay(store, day, archived.get(day.figures.day), archive)) published++;
    }
  } finally {
    // Days of an interrupted import are served too: their audit is complete. All are listed, because caches may still have a deleted one.
    const changed = days.map(({ figures }) => figures.day);
    await refreshCoverage(store, begin, changed, 'ends');
  }
  return published;
}

async function publishDay(
  store: ServedChain['store'],
  { figures, hosts }: BoundedDay,
  stored: ArchivedDay | undefined,
  archive: ArchiveOrigin,
): Promise<boolean> {
  const provenance = {
    softwareVersion: SOFTWARE_VERSION,
    ingestedAt: new Date(Date.now()),
    hosts: [],
    evidence: 'archived',
    provenBlocks: 0,
    finality: reportedBy(hosts),
    archive,
  } as const;
  // A final day is not written: that would send its event again.
  if (!stored) return !(await getDay(store, figures.day)) && putDay(store, figures, provenance);
  if (stored.origin.file_sha256 === archive.file_sha256) return putOrigin(store, stored, archive);
  if (!stored.origin.void_since) return false;
  const reason = `the audit of its file ${stored.origin.file_sha256} is void; replaced by an audited file`;
  const restatement = { reason, requestedAt: archive.audit.audited_at };
  return replaceDay(store, figures, provenance, restatement, undefined, stored.version);
}
