import type { UtcDay } from '../figures/calendar.ts';
import { changeArchiveFile, listArchivedDays, listArchiveFiles } from '../store/days/archives.ts';
import type { ChainStore } from '../store/table/table.ts';
import { markVoid } from '../transitions/archive.ts';

/** Marks the archived days of void files, unless that is done. A file may have thousands of days. @returns those that are marked */
export async function markVoidFiles(store: ChainStore): Promise<UtcDay[]> {
  const files = (await listArchiveFiles(store)).filter((file) => file.void_since && file.is_marked === false);
  if (files.length === 0) return [];
  const marked: UtcDay[] = [];
  for (const { origin, figures } of await listArchivedDays(store)) {
    const void_since = files.find(({ sha256 }) => sha256 === origin.file_sha256)?.void_since;
    if (void_since === undefined) continue;
    if (await markVoid(store, figures.day, origin.file_sha256, void_since)) marked.push(figures.day);
  }
  // An import that ended meanwhile may have published days that were not listed: the next run marks them.
  for (const { sha256, sequence } of files)
    await changeArchiveFile(store, sha256, (file) => (file.sequence === sequence ? { is_marked: true } : {}));
  return marked;
}
