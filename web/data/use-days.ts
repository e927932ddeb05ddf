import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import type { ChainSource } from '../model/cells.ts';
import { chainLabel } from '../model/labels.ts';
import type { ChainQueries } from '../model/queries.ts';
import {
  type Api,
  type ChainQuery,
  errorText,
  isKeyRefused,
  type StatusOfChain,
  statusOf,
} from './api-client.ts';
import { createDayCache } from './day-cache.ts';

const notRead = new ChainInsightsError('This service does not read this chain.', 400);

/**
 * Loads days, and keeps them.
 * @param queries all that is loaded
 * @param charted those of the chains that are charted
 * @param statuses when a chain's first or last final day changes, all days are loaded again
 * @param onKeyRefused called with the reason when the service refuses the key
 */
export function useDays(
  api: Api,
  queries: readonly ChainQuery[],
  charted: Parameters<typeof loadedOf>[1],
  statuses: readonly StatusOfChain[],
  onKeyRefused: (reason: string) => void,
) {
  const updates = statuses.map((one) => [one.chain, one.first_final_day, one.last_final_day]).join();
  const cache = useMemo(createDayCache, [api, updates]);
  const [version, setVersion] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const wanted = JSON.stringify([queries, charted]);
  const isRead = ({ chain }: ChainQuery) => statusOf(statuses, chain) !== undefined;
  const find: Find = (query) => (isRead(query) ? cache.find(query) : notRead);
  useLayoutEffect(() => {
    const loading = new AbortController();
    // A request that names a chain that the service does not read is refused as a whole.
    void cache.load(api, queries.filter(isRead), loading.signal, () => setVersion((before) => before + 1));
    return () => loading.abort();
  }, [cache, wanted, attempt]);
  const loaded = useMemo(() => loadedOf(find, charted, statuses), [cache, version, wanted, statuses]);
  const refused = loaded.errors.find(([, error]) => isKeyRefused(error))?.[1];
  useEffect(() => {
    if (refused) onKeyRefused(errorText(refused));
  }, [refused]);
  const retry = () => {
    cache.forgetErrors();
    setAttempt(attempt + 1);
  };
  const { errors } = loaded;
  return {
    ...loaded,
    failed: errors.map(([chain]) => chain),
    /** Messages of the errors. Each names its chain, unless all failed. */
    errorTexts: errors.map(([chain, error]) =>
      errors.length === charted.length ? errorText(error) : `${chainLabel(chain)}: ${errorText(error)}`,
    ),
    find,
    retry,
  };
}

export type Find = ReturnType<typeof createDayCache>['find'];

/** Returns what was loaded of some chains, and the chains that failed or have not answered yet. */
function loadedOf(find: Find, queries: readonly ChainQueries[], statuses: readonly StatusOfChain[]) {
  const errors: (readonly [ChainName, ChainInsightsError])[] = [];
  const pending: ChainName[] = [];
  const sources: ChainSource[] = [];
  for (const query of queries) {
    const { chain } = query.series;
    const [rows, days, hours] = [find(query.series), find(query.days), query.hours && find(query.hours)];
    const yesterday = hours && 'rows' in hours ? hours.rows : undefined;
    if (!rows || !days) pending.push(chain);
    else if (rows instanceof ChainInsightsError) errors.push([chain, rows]);
    else if (days instanceof ChainInsightsError) errors.push([chain, days]);
    else sources.push({ ...rows, chain, days: days.rows, yesterday, status: statusOf(statuses, chain) });
  }
  return { errors, pending, sources };
}
