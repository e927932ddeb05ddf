import { PutObjectCommand } from '@aws-sdk/client-s3';
import { exportTable } from '../core/backup/export-table.ts';
import { folderOf, type Manifest, sha256Of } from '../core/backup/manifest.ts';
import { dayOf } from '../core/figures/calendar.ts';
import { createS3Client } from '../core/s3-client.ts';
import { createClient } from '../core/store/client.ts';
import { fromEnvironment } from './environment.ts';

const table = { client: createClient({}), name: fromEnvironment('tableName') };
const Bucket = fromEnvironment('exportBucket');
const s3 = createS3Client();

/**
 * Exports the table into the folder of today (UTC). A second export of the same day replaces the first.
 * @throws Error when the table or the bucket fails; Lambda tries twice more, and then sends the event to the dead-letter queue
 */
export async function handler(): Promise<Manifest> {
  const now = new Date();
  const folder = folderOf(dayOf(now.getTime() / 1_000));
  const put = async (name: string, Body: Buffer) => {
    // S3 refuses bytes with another hash.
    const ChecksumSHA256 = sha256Of(Body, 'base64');
    await s3.send(new PutObjectCommand({ Bucket, Key: `${folder}/${name}`, Body, ChecksumSHA256 }));
  };
  const manifest = await exportTable(table, put, now);
  console.info({ export: `s3://${Bucket}/${folder}`, ...manifest });
  return manifest;
}
