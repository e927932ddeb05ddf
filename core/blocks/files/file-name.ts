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

/** Returns undefined unless the name is that of a file with the receipts of Ethereum. */
export function parseFileName(name: string): EraFileName | undefined {
  const [, era, extension] = PATTERN.exec(name) ?? [];
  if (era === undefined) return undefined;
  const first = Number(era) * BLOCKS_PER_FILE;
  return { name, format: extension === 'era1' ? 'era1' : 'ere', first, last: first + BLOCKS_PER_FILE - 1 };
}
