import { useEffect, useState } from 'preact/hooks';
import { fetchPublicDays, type OpenChain } from '../data/api-client.ts';
import { metaText } from '../model/offered.ts';

/** True where the service opens days, as it writes into its pages. Otherwise there is nothing to ask for. */
const isOpen = metaText('public-days') === 'yes';

/** Loads the days that the service opens to everyone; none meanwhile. */
export function useOpenDays(root: string): readonly OpenChain[] {
  const [open, setOpen] = useState<readonly OpenChain[]>([]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const loading = new AbortController();
    void fetchPublicDays(root, loading.signal).then((chains) => {
      if (!loading.signal.aborted) setOpen(chains);
    });
    return () => loading.abort();
  }, [root]);
  return open;
}
