import { chainNames, chainOf } from '../core/chains/chains.ts';
import { dayOf } from '../core/figures/calendar.ts';
import { createQueryTable } from '../core/store/table/client.ts';
import { chainStore } from '../core/store/table/table.ts';
import { readDayRows } from '../lambda/api/series/days.ts';
import { cacheBriefly } from '../lambda/caches.ts';
import { publicFile } from '../lambda/pages/public-files.ts';
import type { Site, siteFile } from '../lambda/pages/site.ts';
import type { ChainFiles } from '../lambda/public/public-index.ts';
import { filesOfChain, indexFile } from '../lambda/public/write-files.ts';

/** A stage writes the files once a day. Here they follow the table. */
const KEPT_MS = 5_000;

/** Returns a function that makes the files with all final days of a table, by their path. */
export function localPublicFiles(table: string, licence: string): () => Promise<Site> {
  const reader = createQueryTable(table);
  const make = async () => {
    const now = new Date();
    const [site, entries] = [new Map<string, ReturnType<typeof siteFile>>(), [] as ChainFiles[]];
    for (const chain of chainNames) {
      const rows = await readDayRows(
        chainStore(reader, chain),
        chainOf(chain).firstDay,
        dayOf(Number(now) / 1_000),
      );
      const { files, entry } = filesOfChain(chain, rows);
      if (entry) entries.push(entry);
      for (const { name, bytes } of files) site.set(`/public/${name}`, publicFile(name, bytes));
    }
    const { name, bytes } = indexFile({ written_at: now.toISOString(), licence, chains: entries });
    return site.set(`/public/${name}`, publicFile(name, bytes));
  };
  return cacheBriefly(make, Date.now, KEPT_MS);
}
