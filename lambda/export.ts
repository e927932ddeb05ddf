import { PutObjectCommand } from '@aws-sdk/client-s3';
import { decodeManifest, folderOf, type Manifest, sha256Of } from '../core/backup/export-files.ts';
import { MANIFEST } from '../core/backup/export-folder.ts';
import { exportTable } from '../core/backup/export-table.ts';
import { chainNames, chainOf } from '../core/chains/chains.ts';
import { addDays, dayOf } from '../core/figures/calendar.ts';
import { createS3Client, readObject } from '../core/s3-client.ts';
import { createClient, createQueryTable } from '../core/store/table/client.ts';
import { InvalidItemError } from '../core/store/table/decode-item.ts';
import { chainStore } from '../core/store/table/table.ts';
import { readDayRows } from './api/series/days.ts';
import { sendDailyMail } from './daily-mail.ts';
import { environment, fromEnvironment } from './environment.ts';
import { PUBLIC_DAYS_OBJECT, PUBLIC_FOLDER } from './pages/paths.ts';
import type { ChainFiles } from './public/public-index.ts';
import { filesOfChain, indexFile } from './public/write-files.ts';

const table = { client: createClient({}), name: fromEnvironment('tableName') };
const Bucket = fromEnvironment('exportBucket');
const s3 = createS3Client();

// Not set unless the stage opens days, and all days.
const openDays = Number(process.env[environment.publicDays] ?? 0);
const licence = process.env[environment.publicFiles];

/**
 * Writes the days that the stage opens, for the pages, which may not read the table: a visitor without a key costs no read of it.
 * @returns problems for the daily email: rows that cannot be read, each of which hides its chain
 */
async function writePublicDays(now: Date): Promise<string[]> {
  const today = dayOf(now.getTime() / 1_000);
  const since = addDays(today, -openDays);
  const reader = createQueryTable(table.name);
  const latest = [];
  const entries: ChainFiles[] = [];
  const problems: string[] = [];
  for (const chain of chainNames) {
    const first = licence ? chainOf(chain).firstDay : since;
    const rows = await readDayRows(chainStore(reader, chain), first, addDays(today, -1)).catch(
      (error: unknown) => {
        if (!(error instanceof InvalidItemError)) throw error;
        problems.push(`The pages show no open days of ${chain}: ${error.message}`);
        return [];
      },
    );
    latest.push({ chain, rows: rows.filter(({ date }) => date >= since) });
    const { files, entry } = filesOfChain(chain, licence ? rows : []);
    for (const { name, bytes } of files) await putObject(PUBLIC_FOLDER + name, bytes);
    if (entry) entries.push(entry);
  }
  const written_at = now.toISOString();
  if (openDays > 0)
    await putObject(PUBLIC_DAYS_OBJECT, Buffer.from(JSON.stringify({ written_at, chains: latest })));
  const index = indexFile({ written_at, licence: licence ?? '', chains: entries });
  if (licence) await putObject(PUBLIC_FOLDER + index.name, index.bytes);
  return problems;
}

const notWritten = ({ name, message }: Error): string =>
  `The open days of the pages were not written: ${name}: ${message}. ` +
  'The export function needs s3:PutObject: docs/operate/operations.md#recovery';

async function putObject(Key: string, Body: Buffer): Promise<void> {
  // S3 refuses bytes with another hash.
  const ChecksumSHA256 = sha256Of(Body, 'base64');
  await s3.send(new PutObjectCommand({ Bucket, Key, Body, ChecksumSHA256 }));
}

/** Exports the table into the folder of today (UTC), in place of an earlier export, and sends the daily email. Lambda retries a failure. */
export async function handler(): Promise<Manifest> {
  const now = new Date();
  const today = dayOf(now.getTime() / 1_000);
  const folder = folderOf(today);
  const manifest = await exportTable(table, (name, bytes) => putObject(`${folder}/${name}`, bytes), now);
  console.info({ export: `s3://${Bucket}/${folder}`, ...manifest });
  const reading = readObject(s3, Bucket, `${folderOf(addDays(today, -1))}/${MANIFEST}`);
  const before = reading.then((bytes) => bytes && decodeManifest(bytes));
  // A failure would export and email again.
  const problems =
    openDays > 0 || licence ? await writePublicDays(now).catch((error: Error) => [notWritten(error)]) : [];
  await sendDailyMail(createQueryTable(table.name), manifest, before, problems);
  return manifest;
}
