import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pMap from 'p-map';
import { type ChainName, chainNames } from '../chains/chains.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import { rawPages } from '../store/table/client.ts';
import { dayRange, detailsRange, kindRange } from '../store/table/keys.ts';
import type { Table, TableQuery } from '../store/table/table.ts';
import { encodeItem, encodeManifest, fileNameOf, type Manifest, sha256Of } from './export-files.ts';
import { MANIFEST } from './export-folder.ts';

type Exported = Pick<Table, 'client' | 'name'>;
type PutFile = (name: string, bytes: Buffer) => Promise<void>;
type ExportedChain = Manifest['chains'][number];

/** The number of exported items, and that of the days among them. */
type Counts = Omit<ExportedChain, 'chain' | 'sha256' | 'bytes'>;

/** Chains that are read at once. Each holds a page of the table and its compressed file: 10 MB for ten years of days. */
const CHAINS_AT_ONCE = 4;

/**
 * Exports what no run can rebuild from the chain alone: final days with their earlier figures and their details, requested restatements,
 * open conflicts, the audits of archives' files, and the coverage with the first day and the revision of entity tags. Progress is left
 * out, because runs can read it again.
 * @param put writes a file; the manifest comes last
 * @throws Error when a chain fails, after the files of all others are written. The manifest is not, because an import would trust it
 */
export async function exportTable(
  table: Exported,
  put: PutFile,
  now: Date,
  names: readonly ChainName[] = chainNames,
): Promise<Manifest> {
  const failed: { readonly chain: ChainName; readonly error: unknown }[] = [];
  const chains = await pMap(
    names,
    (chain) =>
      exportChain(table, put, chain).catch((error: unknown) => {
        failed.push({ chain, error });
      }),
    { concurrency: CHAINS_AT_ONCE },
  );
  const [first] = failed;
  if (first) {
    const { error } = first;
    throw new Error(
      `${failed.map(({ chain }) => chain).join(', ')} could not be exported: ${error}. The export has no manifest. Export again.`,
      { cause: error },
    );
  }
  const manifest: Manifest = {
    format: 1,
    exported_at: now.toISOString(),
    software_version: SOFTWARE_VERSION,
    chains: chains.filter((chain) => chain !== undefined),
  };
  await put(MANIFEST, encodeManifest(manifest));
  return manifest;
}

/** Writes the file of a chain. Returns undefined for a chain without items, which gets none. */
async function exportChain(
  table: Exported,
  put: PutFile,
  chain: ChainName,
): Promise<ExportedChain | undefined> {
  // The coverage is read after the days: if a day changes in between, its revision is that of the change, so clients that have the
  // changed day keep it.
  const kinds = ['details', 'coverage', 'restatement', 'conflict', 'archive'] as const;
  const ranges = [dayRange({ chain }), ...kinds.map((kind) => kindRange({ chain }, kind))];
  const counts = { items: 0, days: 0 };
  // Text of ten years has 30 MB, so only what is compressed is kept.
  const bytes = await pipeline(readLines(table, ranges, counts), createGzip(), buffer);
  if (counts.items === 0) return undefined;
  await put(fileNameOf(chain), bytes);
  return { chain, sha256: sha256Of(bytes), bytes: bytes.length, ...counts };
}

/** Exports the final days of a chain from `first` to `last`, both included, with their details. */
export async function exportDays(
  table: Exported,
  chain: ChainName,
  first?: string,
  last?: string,
): Promise<Counts & { readonly text: string }> {
  const counts: Counts = { items: 0, days: 0 };
  const ranges = [dayRange({ chain }, first, last), detailsRange({ chain }, first, last)];
  const pages = await Array.fromAsync(readLines(table, ranges, counts));
  return { text: pages.join(''), ...counts };
}

/** Reads items page by page as lines of a file, and counts them. Does not decode them, so that a broken item does not stop the export. */
async function* readLines({ client, name }: Exported, ranges: readonly TableQuery[], counts: Counts) {
  for (const range of ranges) {
    for await (const page of rawPages(client, name, range)) {
      counts.items += page.length;
      for (const { date: { S: date = '' } = {} } of page) {
        // Sort keys that are not days begin with a letter.
        if (!/^\d/.test(date)) continue;
        counts.days += 1;
        counts.first_day ??= date;
        counts.last_day = date;
      }
      yield page.map(encodeItem).join('');
    }
  }
}
