import { useEffect, useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { type Api, fetchToday } from './api-client.ts';
import type { RunningRow } from './rows.ts';

/** In milliseconds. On AWS, new sums are saved at most this often. */
const PERIOD = 60_000;

/** Reads the running day of some chains again and again, while the page can be seen. */
export function useRunning(api: Api, chains: readonly ChainName[]): readonly RunningRow[] {
  const [rows, setRows] = useState<readonly RunningRow[]>([]);
  useEffect(() => {
    if (chains.length === 0) return undefined;
    const loading = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') return;
      timer = setTimeout(read, PERIOD);
      // After an error, the figures before stay, which say their time.
      fetchToday(api, chains, loading.signal).then(setRows, () => {});
    };
    read();
    document.addEventListener('visibilitychange', read, loading);
    return () => {
      clearTimeout(timer);
      loading.abort();
    };
  }, [api, chains.join()]);
  return rows;
}
