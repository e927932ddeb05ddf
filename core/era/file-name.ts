/** Blocks of a file; only the last one of a chain or a format may have fewer. */
export const BLOCKS_PER_FILE = 8_192;

/** The name of an era file, `<network>-<era>-<first bytes of a hash>.era1` or `.ere`. Mirrors also name ere files `.erae`. */
export interface EraFileName {
  readonly name: string;
  readonly format: 'era1' | 'ere';
  /** Its first block is `era` times 8,192. */
  readonly era: number;
  /**
   * Eight hex digits: of the last block's hash in an ere file, as formats/ere.md says, and of the accumulator in an era1 file, as
   * go-ethereum names them (internal/era).
   */
  readonly shortHash: string;
}

/** Matches the files of Ethereum mainnet. Nobody publishes era files of the other chains. */
const PATTERN = /^mainnet-(\d{5})-([0-9a-f]{8})(?:-noproofs)?\.(era1|ere|erae)$/;

/** Returns undefined unless the name is that of a file with the receipts of Ethereum. */
export function parseFileName(name: string): EraFileName | undefined {
  const [, era, shortHash, extension] = PATTERN.exec(name) ?? [];
  if (era === undefined || shortHash === undefined) return undefined;
  return { name, format: extension === 'era1' ? 'era1' : 'ere', era: Number(era), shortHash };
}
