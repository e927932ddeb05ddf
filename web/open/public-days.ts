import { useEffect, useState } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type DayRow, fetchPublicDays } from '../data/api-client.ts';
import { shownChains } from '../model/offered.ts';
import { sampleDays } from './sample-days.ts';

/** Days that a visitor without a key may see. */
export interface OpenDays {
  readonly chains: readonly { readonly chain: ChainName; readonly rows: readonly DayRow[] }[];
  /** True for invented days: this service opens no real ones. */
  readonly isSample: boolean;
}

/** True where the service opens days, as it writes into its pages. Otherwise there is nothing to ask for. */
const isOpen = document.querySelector<HTMLMetaElement>('meta[name=public-days]')?.content === 'yes';

/** Loads the days that the service opens to everyone; undefined meanwhile. Where it opens none, they are invented. */
export function useOpenDays(root: string, today: UtcDay): OpenDays | undefined {
  const [open, setOpen] = useState<OpenDays>();
  useEffect(() => {
    const loading = new AbortController();
    void (isOpen ? fetchPublicDays(root, loading.signal) : Promise.resolve([])).then((chains) => {
      if (loading.signal.aborted) return;
      const known = chains.filter(({ rows }) => rows.length > 0);
      setOpen(
        known.length > 0
          ? { chains: known, isSample: false }
          : { chains: sampleDays(today, shownChains), isSample: true },
      );
    });
    return () => loading.abort();
  }, [root]);
  return open;
}
