import { inspect, isDeepStrictEqual } from 'node:util';
import type { Chain } from '../chains/chains.ts';
import { DEFINITION_VERSION } from '../chains/definition.ts';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { deleteCheckpoint, type Progress } from '../store/checkpoints.ts';
import { getCoverage, refreshCoverage } from '../store/coverage.ts';
import { type DayFigures, getDay, putDay } from '../store/days.ts';
import type { Table } from '../store/table.ts';

/** A day whose blocks give other figures now than it was published with. Neither is thrown away. */
export class DayConflictError extends Error {
  override readonly name = 'DayConflictError';

  constructor(chain: string, stored: DayFigures | undefined, found: DayFigures) {
    const shown = (figures: unknown) => inspect(figures, { depth: 4, breakLength: Infinity });
    super(
      `${chain} ${found.day} is final with other figures than its blocks give now. The stored ones stay. ` +
        `Stored: ${shown(stored)}. Found: ${shown(found)}`,
    );
  }
}

/**
 * Publishes a day of which every block is read. Its content follows from the blocks alone, so doing it twice is harmless.
 * @throws DayConflictError when the day is already final with other figures
 */
export async function publishDay(table: Table, chain: Chain, progress: Progress): Promise<void> {
  const { day, totals, first, last } = progress;
  if (!last) throw new Error(`${chain.name} has no block at or before ${day}, so that day has no figures`);
  const figures: DayFigures = { day, totals, first, last, definitionVersion: DEFINITION_VERSION };
  if (await putDay(table, chain.name, figures, new Date())) return;
  const stored = await getDay(table, chain.name, day);
  if (!isDeepStrictEqual(stored, figures)) throw new DayConflictError(chain.name, stored, figures);
}

/**
 * The first day since `from` that is not final. Where the day after the coverage turns out to be final, it was
 * published a moment ago or by a run that ended right after: then the coverage moves and the checkpoint goes.
 */
export async function oldestMissingDay(table: Table, chain: string, from: UtcDay): Promise<UtcDay> {
  let coverage = await getCoverage(table, chain, { consistent: true });
  for (;;) {
    const day = coverage?.from === from ? addDays(coverage.through, 1) : from;
    if (!(await getDay(table, chain, day))) return day;
    // In this order, so that a crash in between leaves the coverage behind and the next look does both again.
    await deleteCheckpoint(table, chain, day);
    coverage = await refreshCoverage(table, chain, from);
  }
}
