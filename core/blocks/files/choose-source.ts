import type { EraSource } from './source.ts';

/**
 * Creates the source of a mirror or a bucket. Loads only the modules of that kind: the AWS client takes long to load.
 * @param region in which the search for a bucket begins, by default that of the environment
 */
export async function createEraSource(url: string, region?: string): Promise<EraSource> {
  if (url.startsWith('s3://')) return (await import('./s3-source.ts')).createS3Source(url, region);
  return (await import('./http-source.ts')).createHttpSource(url);
}

/** Matches the URLs that `createEraSource` opens. */
export const ERA_URL = /^(https?|s3):\/\/[\w.-]+(:\d+)?(\/[\w./~%+-]*)?$/;
