import { useEffect, useMemo, useState } from 'preact/hooks';
import { allQueries, type ChainQuery } from '../model/queries.ts';
import type { View } from '../model/view.ts';
import type { Api, ChainStatus } from './api-client.ts';
import { createDayCache } from './day-cache.ts';

/** Loads the days of a view. */
export const useDays = (api: Api, view: View, statuses: readonly ChainStatus[]) =>
  useQueries(api, allQueries(view), statuses);

/**
 * Loads days, and keeps them.
 * @param statuses when a chain's first or last final day changes, all days are loaded again
 */
export function useQueries(api: Api, queries: readonly ChainQuery[], statuses: readonly ChainStatus[]) {
  const updates = statuses.map((one) => [one.chain, one.first_final_day, one.last_final_day]).join();
  const cache = useMemo(createDayCache, [api, updates]);
  const [version, setVersion] = useState(0);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const loading = new AbortController();
    void cache.load(api, queries, loading.signal, () => setVersion((before) => before + 1));
    return () => loading.abort();
  }, [cache, JSON.stringify(queries), attempt]);
  return {
    find: cache.find,
    /** Changes whenever `find` may return something else. */
    version,
    retry: () => {
      cache.forgetErrors();
      setAttempt(attempt + 1);
    },
  };
}
