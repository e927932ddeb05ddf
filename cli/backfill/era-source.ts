import { openFolderSource } from '../../lambda/era/folder-source.ts';
import { ERA_URL, openEraSource } from '../../lambda/era/open-source.ts';
import type { EraSource } from '../../lambda/era/source.ts';

/**
 * Opens a mirror, a bucket or a folder.
 * @param location URL, or path of a folder of this machine
 */
export const openAnyEraSource = async (location: string): Promise<EraSource> =>
  ERA_URL.test(location) ? openEraSource(location) : openFolderSource(location);
