import { gzipSync } from 'node:zlib';
import { type ChainName, chainNames } from '../chains/chains.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import { rawPages } from '../store/table/client.ts';
import { dayRange, detailsRange, kindRange } from '../store/table/keys.ts';
import type { Table, TableQuery } from '../store/table/table.ts';
import { encodeItem, encodeManifest, fileNameOf, MANIFEST, type Manifest, sha256Of } from './export-files.ts';

type Exported = Pick<Table, 'client' | 'name'>;

/** Items as lines of a file, with their number and that of the days among them. */
interface ExportedItems extends Omit<Manifest['chains'][number], 'chain' | 'sha256' | 'bytes'> {
  readonly text: string;
}

/**
 * Exports what no run can rebuild from the chain alone: final days with their earlier figures and their details, requested restatements,
 * open conflicts, the audits of archives' files, and the coverage with the first day and the revision of entity tags. Progress is left
 * out, because runs can read it again.
 * @param put writes a file; the manifest comes last
 */
export async function exportTable(
  table: Exported,
  put: (name: string, bytes: Buffer) => Promise<void>,
  now: Date,
): Promise<Manifest> {
  const chains: Manifest['chains'] = [];
  for (const chain of chainNames) {
    // The coverage is read after the days: if a day changes in between, its revision is that of the change, so clients that have the
    // changed day keep it.
    const kinds = ['details', 'coverage', 'restatement', 'conflict', 'archive'] as const;
    const ranges = [dayRange({ chain }), ...kinds.map((kind) => kindRange({ chain }, kind))];
    const { text, ...counts } = await exportItems(table, ranges);
    if (counts.items === 0) continue;
    const bytes = gzipSync(text);
    await put(fileNameOf(chain), bytes);
    chains.push({ chain, sha256: sha256Of(bytes), bytes: bytes.length, ...counts });
  }
  const manifest: Manifest = {
    format: 1,
    exported_at: now.toISOString(),
    software_version: SOFTWARE_VERSION,
    chains,
  };
  await put(MANIFEST, encodeManifest(manifest));
  return manifest;
}

/** Exports the final days of a chain from `first` to `last`, both included, with their details. */
export const exportDays = (
  table: Exported,
  chain: ChainName,
  first?: string,
  last?: string,
): Promise<ExportedItems> =>
  exportItems(table, [dayRange({ chain }, first, last), detailsRange({ chain }, first, last)]);

/** Reads items without decoding them, so that a broken item does not stop the export. */
async function exportItems({ client, name }: Exported, ranges: readonly TableQuery[]) {
  const lines: string[] = [];
  const days: string[] = [];
  for (const range of ranges) {
    for await (const page of rawPages(client, name, range)) {
      lines.push(...page.map(encodeItem));
      // Sort keys that are not days begin with a letter.
      days.push(...page.map(({ date }) => date?.S ?? '').filter((date) => /^\d/.test(date)));
    }
  }
  const [first_day, last_day] = [days[0], days.at(-1)];
  return { text: lines.join(''), items: lines.length, days: days.length, first_day, last_day };
}
