import type { UtcDay } from '../figures/calendar.ts';
import { cutReason, type DayDetails, type DayFigures, type Provenance } from '../figures/day-figures.ts';
import { saveConflict } from '../store/chain/conflicts.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import {
  changeArchiveFile,
  getArchivedDay,
  listArchivedDays,
  listArchiveFiles,
  putOrigin,
  putProofOfArchived,
} from '../store/days/archives.ts';
import { describeChanges, describeContradiction } from '../store/days/compare-figures.ts';
import { replaceDay } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type Conflict, conflict } from './day-run.ts';
import { refreshCoverage } from './refresh-coverage.ts';

/*
 * A proof replaces an archived day. If the figures are equal, only the evidence changes. If they are not, the audit of the whole file
 * is void: the day is restated, and all other days of the file are marked.
 */

/**
 * Replaces a day by its proof if it is archived.
 * @returns a conflict when the proof contradicts the archive; `none` when the day is not archived
 */
export async function proveArchivedDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  details: DayDetails,
): Promise<'none' | 'replaced' | Conflict> {
  const { day } = figures;
  const archived = await getArchivedDay(store, day);
  if (!archived) return 'none';
  const { name, file_sha256, query_sha256 } = archived.origin;
  const from = (await getCoverage(store))?.from_day ?? day;
  // No cache keeps a day while it is replaced, so that a crash leaves no old figure in one.
  await refreshCoverage(store, from, [], 'begins');
  const changes = describeChanges(archived.figures, figures);
  const reason = `a proof gives other figures than the file ${file_sha256.slice(0, 16)}… of the archive ${name} (archived → proven): ${changes}.`;
  const restatement = { reason: cutReason(reason), requestedAt: provenance.ingestedAt.toISOString() };
  const isContradiction = describeContradiction(store, archived.figures, figures) !== '';
  // The order matters: after a crash in between, the conflict raises the alarm, and the next run marks the other days.
  if (isContradiction) {
    await saveConflict(store, { day, reason: restatement.reason, since: provenance.ingestedAt.getTime() });
    await changeArchiveFile(store, file_sha256, ({ void_since = restatement.requestedAt }) => {
      return { name, query_sha256, void_since, is_marked: false };
    });
  }
  const isReplaced =
    changes === ''
      ? await putProofOfArchived(store, archived, figures, provenance, details)
      : await replaceDay(store, figures, provenance, restatement, details, archived.version);
  // Another run was faster. If it only marked or audited the day, the proof is due still; else the caller compares what it stored.
  if (!isReplaced) {
    await refreshCoverage(store, from, [], 'ends');
    return proveArchivedDay(store, figures, provenance, details);
  }
  await markVoidFiles(store, from);
  await refreshCoverage(store, from, [day], 'ends');
  if (!isContradiction) return 'replaced';
  return conflict(
    day,
    `${store.chain} ${day}: ${reason} The audit of that file is void, and its other days are marked. Delete them, or prove them with backfill.`,
  );
}

/** Marks the archived days of void files, and lists them as changed, unless that is done. @returns those days */
export async function markVoidFiles(store: ChainStore, from: UtcDay): Promise<UtcDay[]> {
  const files = (await listArchiveFiles(store)).filter((file) => file.void_since && file.is_marked === false);
  if (files.length === 0) return [];
  const marked: UtcDay[] = [];
  let isComplete = true;
  for (const archived of await listArchivedDays(store)) {
    const { origin, figures } = archived;
    const void_since = files.find(({ sha256 }) => sha256 === origin.file_sha256)?.void_since;
    if (void_since === undefined) continue;
    if (origin.void_since === undefined && !(await putOrigin(store, archived, { ...origin, void_since })))
      isComplete = false;
    // Also days that a run marked before it crashed.
    marked.push(figures.day);
  }
  if (marked.length > 0) await refreshCoverage(store, from, marked);
  // An import that ended meanwhile may have published days that were not listed: the next run marks them.
  if (isComplete)
    for (const { sha256, sequence } of files)
      await changeArchiveFile(store, sha256, (file) =>
        file.sequence === sequence ? { is_marked: true } : {},
      );
  return marked;
}
