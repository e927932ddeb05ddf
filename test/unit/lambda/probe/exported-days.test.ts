import { encodeManifest, folderOf } from '#core/backup/export-files.ts';
import { MANIFEST } from '#core/backup/export-folder.ts';
import type { ChainName } from '#core/chains/chains.ts';
import { createS3Client } from '#core/s3-client.ts';
import { readExportedDays } from '#lambda/probe/exported-days.ts';
import { type S3Fault, startS3Server } from '#test/support/servers/s3-server.ts';

const environmentBefore = { ...process.env };
afterEach(() => {
  process.env = { ...environmentBefore };
});

const manifestOf = (chain: ChainName, days: number) =>
  encodeManifest({
    format: 1,
    exported_at: '2026-11-20T02:30:00.000Z',
    software_version: '1.0.0',
    chains: [{ chain, sha256: '', bytes: 1, items: days, days }],
  });

/** Reads from a bucket with these manifests by their day. */
async function readAt(now: string, manifests: Readonly<Record<string, Buffer>>, fault?: S3Fault) {
  const objects = new Map(
    Object.entries(manifests).map(([day, bytes]) => [`${folderOf(day)}/${MANIFEST}`, bytes]),
  );
  await using bucket = await startS3Server({ bucket: 'exports', objects, fault: () => fault });
  Object.assign(process.env, bucket.environment);
  const read = await readExportedDays(createS3Client(), 'exports', new Date(now)).catch((error) => error);
  return { read, asked: bucket.requests.map(({ operation, key }) => `${operation} ${key}`) };
}

const manifests = {
  '2026-11-20': manifestOf('BASE', 7),
  '2026-11-21': manifestOf('BASE', 8),
  '2026-11-22': manifestOf('BASE', 0),
};

test('reads the manifest of yesterday, and not that of today, which may be of an emptied table', async () => {
  const { read, asked } = await readAt('2026-11-22T09:00:00Z', manifests);
  expect(read).toEqual({ exportedOn: '2026-11-21', days: new Map([['BASE', 8]]) });
  expect(asked).toEqual(['GetObject exports/2026-11-21/manifest.json']);
});

test('reads an earlier manifest where that of yesterday is missing, or of another version', async () => {
  const given = { '2026-11-20': manifests['2026-11-20'], '2026-11-22': Buffer.from('{"format":2}') };
  const { read } = await readAt('2026-11-23T09:00:00Z', given);
  expect(read).toEqual({ exportedOn: '2026-11-20', days: new Map([['BASE', 7]]) });
});

test('finds none in the bucket of a first deployment, after three requests', async () => {
  const { read, asked } = await readAt('2026-11-23T09:00:00Z', {});
  expect([read, asked.length]).toEqual([undefined, 3]);
});

test('throws what S3 refuses', async () => {
  const { read } = await readAt('2026-11-22T09:00:00Z', manifests, { status: 403, code: 'AccessDenied' });
  expect(read).toMatchObject({ name: 'AccessDenied' });
});
