import { listConflicts } from '../../core/store/conflicts.ts';
import { getCoverage } from '../../core/store/coverage.ts';
import { getLag } from '../../core/store/lag.ts';
import { chainStore, type TableReader } from '../../core/store/table.ts';
import { chainRow, type IngestedChain } from './chain-row.ts';
import { cacheBriefly } from './day-cache.ts';
import { JSON_TYPE } from './formats.ts';
import { httpHandler } from './http-handler.ts';
import { lastCompleteDay } from './last-complete-day.ts';

/** Creates the Lambda handler of the endpoint with one row per chain. */
export function chainsHandler(chains: readonly IngestedChain[], table: TableReader) {
  const readers = chains.map((chain) => {
    const store = chainStore(table, chain.name);
    return cacheBriefly(async () => {
      const reads = [getCoverage(store), getLag(store), listConflicts(store)] as const;
      const [coverage, lag, conflicts] = await Promise.all(reads);
      return { ...chain, coverage, lag, conflicts };
    });
  });
  return httpHandler(async () => {
    const states = await Promise.all(readers.map((read) => read()));
    const rows = states.map((state) => chainRow(state, lastCompleteDay(), Date.now()));
    return {
      statusCode: 200,
      headers: { 'Content-Type': `${JSON_TYPE}; charset=utf-8`, 'Cache-Control': 'private' },
      body: JSON.stringify(rows),
    };
  });
}
