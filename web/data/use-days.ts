import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Api, ChainQuery, ChainStatus } from './api-client.ts';
import { createDayCache } from './day-cache.ts';
import { loadedOf } from './loading.ts';

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
  statuses: readonly ChainStatus[],
  onKeyRefused: (reason: string) => void,
) {
  const updates = statuses.map((one) => [one.chain, one.first_final_day, one.last_final_day]).join();
  const cache = useMemo(createDayCache, [api, updates]);
  const [version, setVersion] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const wanted = JSON.stringify([queries, charted]);
  useEffect(() => {
    const loading = new AbortController();
    void cache.load(api, queries, loading.signal, () => setVersion((before) => before + 1));
    return () => loading.abort();
  }, [cache, wanted, attempt]);
  const loaded = useMemo(() => loadedOf(cache.find, charted, statuses), [cache, version, wanted, statuses]);
  const refusal = loaded.errors.find(([, error]) => error.isKeyRefused)?.[1].message;
  useEffect(() => {
    if (refusal) onKeyRefused(refusal);
  }, [refusal]);
  const retry = () => {
    cache.forgetErrors();
    setAttempt(attempt + 1);
  };
  return { ...loaded, find: cache.find, retry };
}
