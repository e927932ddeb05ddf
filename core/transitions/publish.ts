import type { UtcDay } from '../figures/calendar.ts';
import type { Provenance } from '../figures/day-figures.ts';
import { commit, type Decision } from '../store/chain/commit.ts';
import { decodeArchived, getArchiveFile } from '../store/days/archives.ts';
import { describeChanges } from '../store/days/compare-figures.ts';
import { decodeFigures, toDayItem } from '../store/days/day-item.ts';
import { dayWrites } from '../store/days/write-day.ts';
import type { ChainReader, ChainStore } from '../store/table/table.ts';
import { proofOfArchived } from './archive.ts';
import { gapAround, readAround } from './around.ts';
import { type Conflict, conflict } from './conflict.ts';
import type { DayContent, Published } from './content.ts';
import { readState } from './state.ts';

/** Publishes a day, or proves an archived one. Idempotent: its figures follow from its blocks alone. */
export const publish = (store: ChainStore, content: DayContent): Promise<Published> =>
  commit(store, async (revision): Promise<Decision<Published>> => {
    const { figures, provenance, details } = content;
    const { day } = figures;
    // 1. The day must continue the final days around it.
    const around = await readAround(store, day);
    const gap = gapAround(store, around, figures);
    if (gap) return { writes: [], result: gap };
    const state = await readState(store, day);
    // 2. A final day stays as it is, and must have the same figures.
    if (state.kind === 'final') {
      const changes = describeChanges(decodeFigures(store.chain, state.item), figures);
      const result: Published =
        changes === '' ? { kind: 'published' } : otherFigures(store, day, provenance, changes);
      return { writes: [], result };
    }
    const others = [...state.endOfReading, ...around.checks];
    // 3. A proof replaces an archived day.
    if (state.kind === 'archived') {
      const archived = decodeArchived(store, state.item);
      const file = await getArchiveFile(store, archived.origin.file_sha256);
      const { writes, result } = proofOfArchived(store, { archived, file, content, revision });
      return { writes: [...writes, ...others], result };
    }
    // 4. Any other day becomes final.
    const item = toDayItem(figures, provenance, 1, details);
    const writes = dayWrites(store, item, undefined, { details, position: revision });
    return { writes: [...writes, ...others], result: { kind: 'published' } };
  });

const otherFigures = (
  { chain }: ChainReader,
  day: UtcDay,
  { hosts }: Provenance,
  changes: string,
): Conflict =>
  conflict(
    day,
    `${chain} ${day} is final, but its blocks now give different figures (stored → read from ${hosts.join(', ')}): ${changes}. ` +
      'The stored figures stay. Run verify for this day, and restate it if it is wrong.',
  );
