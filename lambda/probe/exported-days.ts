import type { S3Client } from '@aws-sdk/client-s3';
import { decodeManifest, folderOf } from '../../core/backup/export-files.ts';
import { MANIFEST } from '../../core/backup/export-folder.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import { readObject } from '../../core/s3-client.ts';

/** The number of final days of each chain when the table was exported. */
export interface ExportedDays {
  readonly exportedOn: UtcDay;
  readonly days: ReadonlyMap<string, number>;
}

/** Exports may fail for a few days, of which other alarms tell. */
const EXPORTS_TRIED = 3;
/** Leaves the probe enough of its minute to call the API. */
const DEADLINE_MS = 10_000;

/**
 * Reads what the newest export before today counted. Today's may be of a table that was emptied before it, and would end the page.
 * @returns undefined where there is none, as in the first day of a stage
 */
export async function readExportedDays(
  s3: S3Client,
  bucket: string,
  now: Date,
): Promise<ExportedDays | undefined> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const today = dayOf(now.getTime() / 1_000);
  for (let age = 1; age <= EXPORTS_TRIED; age++) {
    const exportedOn = addDays(today, -age);
    const bytes = await readObject(s3, bucket, `${folderOf(exportedOn)}/${MANIFEST}`, deadline);
    const manifest = bytes && decodeManifest(bytes);
    if (manifest)
      return { exportedOn, days: new Map(manifest.chains.map(({ chain, days }) => [chain, days])) };
  }
  return undefined;
}
