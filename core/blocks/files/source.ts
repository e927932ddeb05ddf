import { ProofError } from '../../proof/encoding/proof-error.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';

/** A file with the blocks `first` to `last`, or a freezer. */
export interface BlockFile {
  /** Its name in reasons. */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Reads the RLP of a header. @throws EraFileError, UnreadableError */
  readonly header: (number: number) => Promise<Uint8Array>;
  /**
   * Reads blocks in order up to the last of the file. Each is valid until the next is read.
   * @throws EraFileError, UnreadableError or ProofError
   */
  readonly blocks: (from: number) => AsyncGenerator<BlockBytes>;
}

/** The files that have a block, and why others could not be opened. */
export interface FilesFound {
  readonly files: readonly BlockFile[];
  readonly problems: readonly FileProblem[];
}

export interface FileProblem {
  /** Begins with the name of the file. */
  readonly reason: string;
  /** True when reading it again does not help. */
  readonly isDamaged: boolean;
  /** True when a block follows a rule that this version does not know. */
  readonly isRuleChange?: boolean;
}

/** All block files of one place: era files of a mirror, a bucket or a folder; or the freezer of a node. */
export interface BlockFiles {
  /** The name of the place in the provenance of days. */
  readonly host: string;
  /** Finds the first file and the last that can be opened; none where nothing can. */
  readonly ends: () => Promise<FilesFound>;
  /** Finds the files with a block. Several have it where files overlap. */
  readonly withBlock: (number: number) => Promise<FilesFound>;
}

/** Blocks of an era file; only the last one of a chain or a format may have fewer. */
export const BLOCKS_PER_FILE = 8_192;

/**
 * The name of an era file, `<network>-<era>-<first bytes of a hash>.era1` or `.ere`. The hash is not read: those of the blocks decide
 * which of them count.
 */
export interface EraFileName {
  readonly name: string;
  /** Mirrors also name ere files `.erae`. */
  readonly format: 'era1' | 'ere';
  /** Numbers of the first block and of the last that the file may have. */
  readonly first: number;
  readonly last: number;
}

/** Matches the files of Ethereum mainnet. Nobody publishes era files of the other chains. */
const PATTERN = /^mainnet-(\d{5})-[0-9a-f]{8}(?:-noproofs)?\.(era1|ere|erae)$/;

/** Returns the files with the receipts of Ethereum among names, once each and in order. */
export const eraFilesAmong = (names: readonly string[]): readonly EraFileName[] =>
  [...new Set(names)].toSorted().flatMap((name) => {
    const [, era, extension] = PATTERN.exec(name) ?? [];
    if (era === undefined) return [];
    const first = Number(era) * BLOCKS_PER_FILE;
    return { name, format: extension === 'era1' ? 'era1' : 'ere', first, last: first + BLOCKS_PER_FILE - 1 };
  });

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

/** A file of which any part can be read, on disk or over the network. */
export interface RandomAccess {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads the bytes from `from` to before `to`, all of them.
   * @throws UnreadableError
   */
  readonly read: (from: number, to: number) => Promise<Buffer>;
}

/** A file could not be read for now. A later attempt may succeed. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

export function throwUnreadable(error: Error): never {
  throw new UnreadableError(error.message);
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
