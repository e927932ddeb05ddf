import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EraSource, eraFilesAmong, throwUnreadable, UnreadableError } from './source.ts';

/** Matches the URLs of mirrors and buckets. */
export const ERA_URL = /^(https?|s3):\/\/[\w.-]+(:\d+)?(\/[\w./~%+-]*)?$/;

/**
 * Creates the source of a mirror, a bucket or a folder. Loads only the modules of that kind: the AWS client takes long to load.
 * @param location URL, or path of a folder of this machine
 * @param region in which the search for a bucket begins, by default that of the environment
 */
export async function createEraSource(location: string, region?: string): Promise<EraSource> {
  if (!ERA_URL.test(location)) return createFolderSource(location);
  if (location.startsWith('s3://')) return (await import('./s3-source.ts')).createS3Source(location, region);
  return (await import('./http-source.ts')).createHttpSource(location);
}

const createFolderSource = (folder: string): EraSource => ({
  host: 'localhost',
  list: async () => eraFilesAmong(await readdir(folder).catch(throwUnreadable)),
  open: async ({ name }) => {
    const path = join(folder, name);
    await using file = await open(path).catch(throwUnreadable);
    const { size } = await file.stat();
    return {
      size,
      read: async (from, to) => {
        await using part = await open(path).catch(throwUnreadable);
        const { buffer, bytesRead } = await part.read(Buffer.allocUnsafeSlow(to - from), 0, to - from, from);
        if (bytesRead === to - from) return buffer;
        throw new UnreadableError(`${path} became shorter while it was read`);
      },
    };
  },
});
