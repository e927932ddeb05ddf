import { ProofError } from '../../proof/encoding/proof-error.ts';
import type { FileProblem } from './block-files.ts';
import { type EraFileName, parseFileName } from './file-name.ts';

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

/** A file of which any part can be read, on disk or over the network. */
export interface RandomAccess {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads the bytes from `from` to before `to`, all of them.
   * @throws UnreadableError
   */
  readonly read: (from: number, to: number) => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/** A file could not be read for now. A later attempt may succeed. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** HTTP status, if the server answered. */
  readonly status: number | undefined;

  constructor(
    message: string,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
  }
}

/** Returns the error of a read that failed, or that `signal` ended. */
export function unreadableBecause(
  host: string,
  error: unknown,
  signal: AbortSignal | undefined,
): UnreadableError {
  if (signal?.aborted) return new UnreadableError(`${host}: the run ended before it responded`);
  return new UnreadableError(`${host}: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** The reason, for an operator, why a file is not a valid era file of the chain. Thrown only inside `core/blocks`. */
export class EraFileError extends Error {
  override readonly name = 'EraFileError';
}

/** Returns why a file cannot be read. @throws the error if it says nothing about the file */
export function problemOf(name: string, error: unknown): FileProblem {
  if (error instanceof UnreadableError) return { reason: `${name}: ${error.message}`, isDamaged: false };
  if (error instanceof EraFileError) return { reason: `${name}: ${error.message}`, isDamaged: true };
  if (error instanceof ProofError)
    return { reason: `${name}: ${error.field}: ${error.message}`, isDamaged: true };
  throw error;
}
