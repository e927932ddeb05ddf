/** Blocks of an era file; only the last one of a chain or a format may have fewer. */
export const BLOCKS_PER_FILE = 8_192;

/** The name of an era file, `<network>-<era>-<first bytes of a hash>.era1` or `.ere`; or of a range of blocks in a freezer. */
export interface BlockFileName {
  readonly name: string;
  /** Mirrors also name ere files `.erae`. */
  readonly format: 'era1' | 'ere' | 'freezer';
  /** Numbers of the first block and of the last that the file may have. */
  readonly first: number;
  readonly last: number;
  /**
   * Eight hex digits: of the last block's hash in an ere file, as formats/ere.md says, and of the accumulator in an era1 file, as
   * go-ethereum names them (internal/era). Empty for a freezer.
   */
  readonly shortHash: string;
  /** In a freezer without indexes: a block at or before the first, and its place in each table. */
  readonly starts?: { readonly number: number; readonly places: Readonly<Partial<Record<string, Place>>> };
}

/** A place in the data files of a table of a freezer. */
export interface Place {
  /** Number of the data file. */
  readonly file: number;
  /** Bytes before it. */
  readonly offset: number;
}

/** Matches the files of Ethereum mainnet. Nobody publishes era files of the other chains. */
const PATTERN = /^mainnet-(\d{5})-([0-9a-f]{8})(?:-noproofs)?\.(era1|ere|erae)$/;

/** Returns undefined unless the name is that of a file with the receipts of Ethereum. */
export function parseFileName(name: string): BlockFileName | undefined {
  const [, era, shortHash, extension] = PATTERN.exec(name) ?? [];
  if (era === undefined || shortHash === undefined) return undefined;
  const first = Number(era) * BLOCKS_PER_FILE;
  const format = extension === 'era1' ? 'era1' : 'ere';
  return { name, format, first, last: first + BLOCKS_PER_FILE - 1, shortHash };
}

const DIGITS = 12;

/** Names a range of blocks of a freezer. Names sort like numbers. */
export function freezerRange(first: number, last: number): BlockFileName {
  const [from, to] = [first, last].map((number) => String(number).padStart(DIGITS, '0'));
  return { name: `blocks-${from}-${to}`, format: 'freezer', first, last, shortHash: '' };
}
