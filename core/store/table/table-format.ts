import { coverageKey } from './keys.ts';
import type { ChainReader } from './table.ts';

/** Increase this when the code can no longer read what the release before has stored. The coverage of each chain states it. */
export const TABLE_FORMAT = 2;

/** An older version stored the days of a chain. */
export class OldTableError extends Error {
  override readonly name = 'OldTableError';

  constructor(chain: string) {
    super(
      `The table has days of ${chain} that this version cannot read: a version before 1.0.0 stored them. ` +
        'Deploy a stage with another name, or use an empty DATA_DIR, and ingest the days again.',
    );
  }
}

/** @throws OldTableError if another format stored the days of a chain. Runs and commands ask once, requests to the API never. */
export async function refuseOldTable(store: ChainReader): Promise<void> {
  const coverage = await store.table.getItem(coverageKey(store));
  if (coverage && Number(coverage.format) !== TABLE_FORMAT) throw new OldTableError(store.chain);
}
