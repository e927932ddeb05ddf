import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEraSource, ERA_URL } from './choose-source.ts';
import {
  type EraSource,
  eraFilesAmong,
  type RandomAccess,
  throwUnreadable,
  UnreadableError,
} from './source.ts';

/**
 * Creates the source of a mirror, a bucket or a folder.
 * @param location URL, or path of a folder of this machine
 * @param region in which the search for a bucket begins
 */
export const createAnyEraSource = async (location: string, region?: string): Promise<EraSource> =>
  ERA_URL.test(location) ? createEraSource(location, region) : createFolderSource(location);

const createFolderSource = (folder: string): EraSource => ({
  host: 'localhost',
  list: async () => eraFilesAmong(await readdir(folder).catch(throwUnreadable)),
  open: async ({ name }) => openFile(join(folder, name)),
});

async function openFile(path: string): Promise<RandomAccess> {
  const file = await open(path).catch(throwUnreadable);
  const { size } = await file.stat();
  return {
    size,
    read: async (from, to) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(to - from), 0, to - from, from);
      if (bytesRead === to - from) return buffer;
      throw new UnreadableError(`${path} became shorter while it was read`);
    },
    close: () => file.close(),
  };
}
