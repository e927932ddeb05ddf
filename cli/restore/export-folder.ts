import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import { createS3Client } from '../../core/s3-client.ts';
import { CommandError } from '../exit-codes.ts';

/** Returns the bytes of a file of an export, or undefined when it does not exist. */
export type ReadFile = (name: string) => Promise<Buffer | undefined>;

const S3_URL = /^s3:\/\/([^/]+)\/(.+?)\/?$/;

/**
 * Opens the folder of an export.
 * @param place `s3://bucket/exports/2026-11-21`, or a folder of this machine
 * @param region in which the search for a bucket begins, by default that of the environment
 */
export function openExport(place: string, region: string | undefined): ReadFile {
  if (!place.startsWith('s3:')) return (name) => readLocally(join(place, name));
  const [, Bucket, prefix] = S3_URL.exec(place) ?? [];
  if (!Bucket || !prefix) {
    throw new CommandError(`${place} names no export. Expected one such as s3://bucket/exports/2026-11-21.`);
  }
  const client = createS3Client(region);
  return async (name) => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `${prefix}/${name}` }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (error instanceof S3ServiceException && /^NoSuch(Key|Bucket)$/.test(error.name)) return undefined;
      throw error;
    }
  };
}

async function readLocally(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError(`Reading ${file} failed: ${message}. Check the path and the permissions.`);
  }
}
