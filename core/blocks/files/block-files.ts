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
