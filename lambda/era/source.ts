import { type EraFileName, parseFileName } from './file-name.ts';
import type { RandomAccess } from './random-access.ts';

/** A place with era files: a mirror, a bucket or a folder. */
export interface EraSource {
  /** Its name in the provenance of days. */
  readonly host: string;
  /** Lists the files of Ethereum, in order. @throws UnreadableError */
  readonly list: () => Promise<readonly EraFileName[]>;
  /** @throws UnreadableError */
  readonly open: (name: EraFileName) => Promise<RandomAccess>;
}

/** Returns the era files among names, once each and in order. */
export const eraFilesAmong = (names: readonly string[]): readonly EraFileName[] =>
  [...new Set(names)].toSorted().flatMap((name) => parseFileName(name) ?? []);

/** Opens a mirror or a bucket. Loads only the modules of that kind: the AWS client takes long to load. */
export async function openEraSource(url: string): Promise<EraSource> {
  if (url.startsWith('s3://')) return (await import('./s3-source.ts')).openS3Source(url);
  return (await import('./http-source.ts')).openHttpSource(url);
}

/** Matches the URLs that `openEraSource` opens. */
export const ERA_URL = /^(https?|s3):\/\/[\w.-]+(:\d+)?(\/[\w./~%+-]*)?$/;
