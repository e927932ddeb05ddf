import { gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ChainName, chainNames } from '../chains/chains.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import {
  conflictRange,
  coverageRange,
  dayRange,
  detailsRange,
  restatementRange,
} from '../store/table/keys.ts';
import { type Attributes, rawPages } from '../store/table/query-table.ts';
import { encodeManifest, fileNameOf, MANIFEST, type Manifest, sha256Of } from './manifest.ts';

/** The table to export, and a client that may query it. */
interface Exported {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/**
 * Exports what no run can rebuild from the chain alone: final days with their earlier figures and their details, requested restatements,
 * open conflicts, and the coverage with the first day and the revision of entity tags. Progress is left out, because runs can read it again.
 * @param put writes a file; the manifest comes last
 */
export async function exportTable(
  table: Exported,
  put: (name: string, bytes: Buffer) => Promise<void>,
  now: Date,
): Promise<Manifest> {
  const chains: Manifest['chains'] = [];
  for (const chain of chainNames) {
    const items = await readItems(table, chain);
    if (items.length === 0) continue;
    const bytes = gzipSync(items.map((item) => `${JSON.stringify({ Item: item })}\n`).join(''));
    await put(fileNameOf(chain), bytes);
    chains.push({ chain, sha256: sha256Of(bytes), bytes: bytes.length, ...countsOf(items) });
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

/**
 * Reads the items of a chain without decoding them, so that a broken item does not stop the export. The coverage is read after the days:
 * if a day changes in between, its revision is that of the change, so clients that have the changed day keep it.
 */
async function readItems({ client, name }: Exported, chain: ChainName): Promise<Attributes[]> {
  const items: Attributes[] = [];
  for (const range of [dayRange, detailsRange, coverageRange, restatementRange, conflictRange]) {
    for await (const page of rawPages(client, name, range({ chain }))) items.push(...page);
  }
  return items;
}

function countsOf(items: readonly Attributes[]) {
  // Sort keys that are not days begin with a letter.
  const days = items.map((item) => item.date?.S ?? '').filter((date) => /^\d/.test(date));
  return { items: items.length, days: days.length, first_day: days[0], last_day: days.at(-1) };
}
