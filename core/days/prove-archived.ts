import type { UtcDay } from '../figures/calendar.ts';
import { cutReason, type DayDetails, type DayFigures, type Provenance } from '../figures/day-figures.ts';
import { saveConflict } from '../store/chain/conflicts.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { changeArchiveFile, listArchiveFiles } from '../store/days/archive-files.ts';
import {
  type ArchivedDay,
  getArchivedDay,
  listArchivedDays,
  putOrigin,
  putProofOfArchived,
} from '../store/days/archived-days.ts';
import { describeChanges } from '../store/days/compare-figures.ts';
import { replaceDay } from '../store/days/restatements.ts';
import type { ChainStore } from '../store/table/table.ts';
import { refreshCoverage } from './refresh-coverage.ts';
import { type Conflict, conflict } from './undo.ts';

/*
 * A proof replaces an archived day. If the figures are equal, only the evidence changes. If they are not, the audit of the whole file
 * is void: the day is restated, and all other days of the file are marked.
 */

interface Proof {
  readonly figures: DayFigures;
  readonly provenance: Provenance;
  readonly details: DayDetails;
}

/**
 * Replaces a day by its proof if it is archived.
 * @param now milliseconds since 1970
 * @returns a conflict when the proof contradicts the archive; `none` when the day is not archived
 */
export async function proveArchivedDay(
  store: ChainStore,
  proof: Proof,
  now: number,
): Promise<'none' | 'replaced' | Conflict> {
  const { day } = proof.figures;
  const archived = await getArchivedDay(store, day);
  if (!archived) return 'none';
  const from = (await getCoverage(store))?.from ?? day;
  // No cache keeps a day while it is replaced, so that a crash leaves no old figure in one.
  await refreshCoverage(store, from, [], 'begins');
  const changes = describeChanges(archived.figures, proof.figures);
  const isReplaced =
    changes === '' ? await confirm(store, archived, proof) : await restate(store, archived, proof, now);
  // Another run was faster. What it stored is compared by the caller.
  if (!isReplaced) return 'none';
  const marked = await markVoidFiles(store);
  await refreshCoverage(store, from, [day, ...marked], 'ends');
  if (!isContradiction(store, archived.figures, proof.figures)) return 'replaced';
  return conflict(
    day,
    `${store.chain} ${day}: ${reasonOf(archived, changes)} The audit of that file is void, and its ${marked.length} other days are marked. Delete them, or prove them with backfill.`,
  );
}

const confirm = (store: ChainStore, archived: ArchivedDay, { figures, provenance, details }: Proof) =>
  putProofOfArchived(store, archived, figures, provenance, details);

const reasonOf = ({ origin: { name, file_sha256 } }: ArchivedDay, changes: string): string =>
  `a proof gives other figures than the file ${file_sha256.slice(0, 16)}… of the archive ${name} (archived → proven): ${changes}.`;

/**
 * Returns whether figures differ in more than Polygon's state-sync transactions, which pay nothing: before they had a type, some nodes
 * listed them and others did not, and no root covers them.
 */
function isContradiction({ rules }: ChainStore, archived: DayFigures, proven: DayFigures): boolean {
  const isListed = rules.family === 'polygon' && proven.last.number < rules.stateSyncTypeFrom;
  const withoutStateSync = ({ totals, ...rest }: DayFigures): DayFigures => ({
    ...rest,
    totals: {
      ...totals,
      transactions: totals.transactions - totals.protocolTransactions,
      protocolTransactions: 0,
    },
  });
  const [before, after] = isListed ? [archived, proven].map(withoutStateSync) : [archived, proven];
  return before !== undefined && after !== undefined && describeChanges(before, after) !== '';
}

/** Replaces an archived day by other figures, and keeps both. */
async function restate(
  store: ChainStore,
  archived: ArchivedDay,
  proof: Proof,
  now: number,
): Promise<boolean> {
  const { figures, provenance, details } = proof;
  const { origin } = archived;
  const at = new Date(now).toISOString();
  const reason = cutReason(reasonOf(archived, describeChanges(archived.figures, figures)));
  // The order matters: after a crash in between, the conflict raises the alarm, and the next run marks the other days.
  if (isContradiction(store, archived.figures, figures)) {
    await saveConflict(store, { day: figures.day, reason, since: now });
    await changeArchiveFile(store, origin.file_sha256, (file) => ({
      ...(file ?? { ...unknownFile(archived), name: origin.name, query_sha256: origin.query_sha256 }),
      void_since: file?.void_since ?? at,
      is_marked: false,
    }));
  }
  return replaceDay(store, figures, provenance, { reason, requestedAt: at }, details);
}

/** An export of days lacks the files of archives, so a table may not know that of a day. */
const unknownFile = ({ figures: { day } }: ArchivedDay) => ({
  first_day: day,
  last_day: day,
  draws: [],
  equal: [],
});

/** Marks the archived days of void files that are not marked yet. @returns those days */
export async function markVoidFiles(store: ChainStore): Promise<UtcDay[]> {
  const files = (await listArchiveFiles(store)).filter((file) => file.void_since && file.is_marked === false);
  if (files.length === 0) return [];
  const since = new Map(files.map(({ sha256, void_since }) => [sha256, void_since]));
  const marked: UtcDay[] = [];
  for (const archived of await listArchivedDays(store)) {
    const { origin, figures } = archived;
    const void_since = since.get(origin.file_sha256);
    if (void_since === undefined || origin.void_since !== undefined) continue;
    await putOrigin(store, archived, { ...origin, void_since });
    marked.push(figures.day);
  }
  for (const { sha256 } of files)
    await changeArchiveFile(store, sha256, (file) => ({
      ...(file as NonNullable<typeof file>),
      is_marked: true,
    }));
  return marked;
}
