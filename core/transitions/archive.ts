import type { UtcDay } from '../figures/calendar.ts';
import { type ArchiveOrigin, cutReason, type DayFigures, type Provenance } from '../figures/day-figures.ts';
import { commit, type Decision } from '../store/chain/commit.ts';
import { conflictWrite } from '../store/chain/conflicts.ts';
import { type ArchivedDay, type ArchiveFile, decodeArchived, fileWrite } from '../store/days/archives.ts';
import { describeChanges, describeContradiction } from '../store/days/compare-figures.ts';
import { toDayItem } from '../store/days/day-item.ts';
import { amended, dayWrites, isStill, restatedItem } from '../store/days/write-day.ts';
import { dayKey } from '../store/table/keys.ts';
import type { ChainReader, ChainStore, Write } from '../store/table/table.ts';
import { conflict } from './conflict.ts';
import type { DayContent, Published } from './content.ts';
import { readState } from './state.ts';

const PUBLISHED = { kind: 'published' } as const;

export interface ArchivedProof {
  readonly archived: ArchivedDay;
  readonly file: ArchiveFile | undefined;
  readonly content: DayContent;
  readonly revision: number;
}

/**
 * A proof replaces an archived day. If the figures are equal, only the evidence changes. If they are not, the audit of the whole file is
 * void: the day is restated, and all other days of the file are to be marked.
 */
export function proofOfArchived(
  store: ChainReader,
  { archived, file, content, revision: position }: ArchivedProof,
): Decision<Published> {
  const { figures, provenance, details } = content;
  const { day } = figures;
  const { item, version, origin } = archived;
  const { name, file_sha256, query_sha256 } = origin;
  const changes = describeChanges(archived.figures, figures);
  if (changes === '') {
    const proven = { ...toDayItem(figures, provenance, version.revision, details), restated: item.restated };
    const after = { ...proven, ...amended(version) };
    return { writes: dayWrites(store, after, version, { details, position }), result: PUBLISHED };
  }
  const reason = `a proof gives other figures than the file ${file_sha256.slice(0, 16)}… of the archive ${name} (archived → proven): ${changes}.`;
  const restatement = { reason: cutReason(reason), requestedAt: provenance.ingestedAt.toISOString() };
  const restated = restatedItem(store, item, figures, provenance, restatement, details);
  const writes = dayWrites(store, restated, version, { details, position });
  if (describeContradiction(store, archived.figures, figures) === '') return { writes, result: PUBLISHED };
  const { write } = fileWrite(store, file_sha256, file, ({ void_since = restatement.requestedAt }) => {
    return { name, query_sha256, void_since, is_marked: false };
  });
  const open = conflictWrite(store, {
    day,
    reason: restatement.reason,
    since: provenance.ingestedAt.getTime(),
  });
  const found = conflict(
    day,
    `${store.chain} ${day}: ${reason} The audit of that file is void, and its other days are marked. Delete them, or prove them with backfill.`,
  );
  return { writes: [...writes, write, open], result: { kind: 'archive refuted', conflict: found } };
}

/**
 * Stores a day of an audited file, unless it is final, or archived from another file that is not void. For a day that the same file brought,
 * stores the new audit. @returns whether the day is from this file now
 */
export const archive = (
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance & { readonly archive: ArchiveOrigin },
): Promise<boolean> =>
  commit(store, async (revision) => {
    const { archive: origin } = provenance;
    const state = await readState(store, figures.day);
    const position = revision;
    // A final day stays as it is.
    if (state.kind === 'final') return { writes: [], result: false };
    if (state.kind !== 'archived') {
      const writes = dayWrites(store, toDayItem(figures, provenance, 1), undefined, { position });
      return { writes, result: true };
    }
    const archived = decodeArchived(store, state.item);
    const { version } = archived;
    if (archived.origin.file_sha256 === origin.file_sha256)
      return { writes: [originWrite(store, archived, origin)], result: true };
    if (!archived.origin.void_since) return { writes: [], result: false };
    const reason = `the audit of its file ${archived.origin.file_sha256} is void; replaced by an audited file`;
    const restatement = { reason, requestedAt: origin.audit.audited_at };
    const item = restatedItem(store, state.item, figures, provenance, restatement);
    return { writes: dayWrites(store, item, version, { position }), result: true };
  });

/** Returns the write that replaces the origin of an archived day, after another audit or once its file is void. */
export const originWrite = (
  store: ChainReader,
  { item, version, figures }: ArchivedDay,
  origin: ArchiveOrigin,
): Write => ({
  put: { ...item, ...dayKey(store, figures.day), archived_from: origin, ...amended(version) },
  condition: isStill(version),
});

/** Marks an archived day whose file is void. @returns false when the day is not archived any more, or from another file */
export const markVoid = (
  store: ChainStore,
  day: UtcDay,
  file_sha256: string,
  void_since: string,
): Promise<boolean> =>
  commit(store, async () => {
    const state = await readState(store, day);
    const archived = state.kind === 'archived' ? decodeArchived(store, state.item) : undefined;
    if (archived?.origin.file_sha256 !== file_sha256) return { writes: [], result: false };
    const isMarked = archived.origin.void_since !== undefined;
    const write = originWrite(store, archived, { ...archived.origin, void_since });
    return { writes: isMarked ? [] : [write], result: true };
  });
