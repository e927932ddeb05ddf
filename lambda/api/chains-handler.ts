import { chainRow, type IngestedChain } from '../../core/rows/chain-row.ts';
import { listConflicts } from '../../core/store/chain/conflicts.ts';
import { getCoverage, getLag } from '../../core/store/chain/coverage.ts';
import { getFinality } from '../../core/store/chain/finality-state.ts';
import { getSchedule } from '../../core/store/chain/schedule.ts';
import { InvalidItemError } from '../../core/store/table/decode-item.ts';
import { chainStore, type TableReader } from '../../core/store/table/table.ts';
import { cacheBriefly } from '../caches.ts';
import { JSON_TYPE } from './formats.ts';
import { httpHandler } from './http-handler.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import { readChainsQuery } from './query.ts';
import { isSample, sampleHeader } from './sample-data.ts';

export function chainsHandler(chains: readonly IngestedChain[], table: TableReader) {
  const readers = chains.map((chain) => {
    const store = chainStore(table, chain.name);
    return cacheBriefly(async () => {
      const [coverage, lag, conflicts, finality, schedule] = await Promise.all([
        readOr('broken' as const, getCoverage(store)),
        readOr(undefined, getLag(store)),
        readOr([], listConflicts(store)),
        readOr(undefined, getFinality(store)),
        readOr(undefined, getSchedule(store)),
      ]);
      return {
        ...chain,
        coverage,
        lag,
        conflicts,
        provenBlock: finality?.state?.block,
        scheduled: schedule?.forks ?? [],
      };
    });
  });
  return httpHandler(async (event) => {
    const { evidence } = readChainsQuery(event);
    const states = await Promise.all(readers.map((read) => read()));
    const rows = states.map((state) =>
      chainRow({ ...state, isSample: isSample(state.name) }, lastCompleteDay(), Date.now(), evidence),
    );
    return {
      statusCode: 200,
      headers: {
        'Content-Type': `${JSON_TYPE}; charset=utf-8`,
        'Cache-Control': 'private',
        ...sampleHeader(chains.map(({ name }) => name)),
      },
      body: JSON.stringify(rows),
    };
  });
}

/** Returns a replacement for an item that cannot be read, and logs it: it must not hide the other chains. */
async function readOr<T, Replacement>(replacement: Replacement, read: Promise<T>): Promise<T | Replacement> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof InvalidItemError)) throw error;
    console.error({ chain: error.chain, item: error.item, error });
    return replacement;
  }
}
