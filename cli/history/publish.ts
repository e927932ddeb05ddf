import type { ArchiveDay } from '../../core/archive/check-rows.ts';
import { plannedFirstDay } from '../../core/days/first-day.ts';
import { refreshCoverage } from '../../core/days/refresh-coverage.ts';
import { reportedBy } from '../../core/figures/block.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type ArchiveOrigin, DEFINITION_VERSION, type Provenance } from '../../core/figures/day-figures.ts';
import { mapMeasures } from '../../core/figures/measures.ts';
import { SOFTWARE_VERSION } from '../../core/software-version.ts';
import {
  type ArchivedDay,
  listArchivedDays,
  putArchivedDay,
  putOrigin,
} from '../../core/store/days/archived-days.ts';
import { describeChanges } from '../../core/store/days/compare-figures.ts';
import { listEvidence, queryDays } from '../../core/store/days/days.ts';
import { replaceDay } from '../../core/store/days/restatements.ts';
import { interrupted } from '../exit-codes.ts';
import type { ServedChain } from '../service.ts';
import type { Boundary } from './audit.ts';

/** A day of the file with the blocks that bound it, which are proven. */
export type BoundedDay = ReturnType<typeof withBounds>[number];

/** @param bounds one more than days */
export const withBounds = (days: readonly ArchiveDay[], bounds: readonly Boundary[]) =>
  days.map(({ date, first, last, transactions, protocolTransactions, fees }, index) => {
    const [begin, end] = [bounds[index], bounds[index + 1]] as [Boundary, Boundary];
    return {
      figures: {
        day: date,
        totals: {
          blocks: last - first + 1,
          transactions,
          protocolTransactions,
          fees,
          measures: mapMeasures(() => undefined),
        },
        parentHash: begin.first.parentHash,
        first: { number: first, hash: begin.first.hash },
        last: { number: last, hash: end.first.parentHash },
        definitionVersion: DEFINITION_VERSION,
      },
      hosts: end.hosts,
    };
  });

/** Compares the file with stored days. @returns the number of proven days that are equal, or the first difference */
export async function compareStored(
  { store, name }: ServedChain,
  days: readonly BoundedDay[],
  sha256: string,
): Promise<number | string> {
  const byDay = new Map(days.map(({ figures }) => [figures.day, figures]));
  const evidence = new Map((await listEvidence(store)).map((one) => [one.date, one.evidence]));
  const [first, last] = [days[0], days.at(-1)].map((day) => day?.figures.day ?? '') as [UtcDay, UtcDay];
  let equal = 0;
  for (const stored of await queryDays(store, first, last)) {
    const given = byDay.get(stored.day);
    if (!given || evidence.get(stored.day) !== 'proven') continue;
    const changes = describeChanges(given, stored);
    if (changes !== '')
      return `${name} ${stored.day}: the file differs from the proven day (file → proven): ${changes}`;
    equal++;
  }
  for (const { figures, origin } of await listArchivedDays(store)) {
    const given = byDay.get(figures.day);
    if (!given || origin.file_sha256 === sha256 || origin.void_since) continue;
    const changes = describeChanges(given, figures);
    if (changes !== '')
      return `${name} ${figures.day}: the file differs from another audited file, ${origin.file_sha256} (file → other): ${changes}`;
  }
  return equal;
}

/**
 * Stores the days that the table lacks, and the new audit in the days that this file brought before. Repeating it changes nothing.
 * @returns the number of days that come from the file now
 */
export async function publish(
  served: ServedChain,
  days: readonly BoundedDay[],
  archive: ArchiveOrigin,
): Promise<number> {
  const { store, chain, from } = served;
  const archived = new Map((await listArchivedDays(store)).map((day) => [day.figures.day, day]));
  const begin = await plannedFirstDay(store, chain, from, Date.now());
  const changed = days.flatMap(({ figures }) => (archived.has(figures.day) ? [figures.day] : []));
  if (changed.length > 0) await refreshCoverage(store, begin, [], 'begins');
  let published = 0;
  try {
    for (const day of days) {
      if (interrupted.aborted) break;
      if (await publishOne(served, day, archived.get(day.figures.day), archive)) published++;
    }
  } finally {
    // Days of an interrupted import are served too: their audit is complete.
    await refreshCoverage(store, begin, changed, changed.length > 0 ? 'ends' : undefined);
  }
  return published;
}

async function publishOne(
  { store }: ServedChain,
  { figures, hosts }: BoundedDay,
  stored: ArchivedDay | undefined,
  archive: ArchiveOrigin,
): Promise<boolean> {
  const provenance: Provenance & { readonly archive: ArchiveOrigin } = {
    softwareVersion: SOFTWARE_VERSION,
    ingestedAt: new Date(Date.now()),
    hosts: [],
    evidence: 'archived',
    provenBlocks: 0,
    finality: reportedBy(hosts),
    archive,
  };
  if (!stored) return putArchivedDay(store, figures, provenance);
  if (stored.origin.file_sha256 === archive.file_sha256) return putOrigin(store, stored, archive);
  if (!stored.origin.void_since) return false;
  const reason = `the audit of its file ${stored.origin.file_sha256} is void; replaced by an audited file`;
  return replaceDay(store, figures, provenance, { reason, requestedAt: archive.audit.audited_at });
}
