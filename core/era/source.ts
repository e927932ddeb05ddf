import { type EraFileName, parseFileName } from './file-name.ts';
import type { RandomAccess } from './random-access.ts';

/** A place with era files: a mirror, a bucket or a folder. */
export interface EraSource {
  /** Its name in the provenance of days. */
  readonly host: string;
  /** Lists the files of Ethereum, in order. @throws UnreadableError */
  readonly list: (signal?: AbortSignal) => Promise<readonly EraFileName[]>;
  /**
   * @param signal ends every read of the file
   * @throws UnreadableError
   */
  readonly open: (name: EraFileName, signal?: AbortSignal) => Promise<RandomAccess>;
}

/** Returns the era files among names, once each and in order. */
export const eraFilesAmong = (names: readonly string[]): readonly EraFileName[] =>
  [...new Set(names)].toSorted().flatMap((name) => parseFileName(name) ?? []);
