import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProofError } from '../../proof/encoding/proof-error.ts';
import { RlpReader } from '../../proof/encoding/rlp-reader.ts';
import { EraFileError } from '../files/source.ts';

/**
 * Reads the number of hidden items of a table, and the bytes of its index that are written; the other bytes may still change.
 * @throws EraFileError
 */
export async function readTableMeta(
  folder: string,
  table: string,
): Promise<{ readonly tail: number; readonly flushed: number }> {
  const bytes = await readFile(join(folder, `${table}.meta`)).catch(() => undefined);
  if (!bytes) return { tail: 0, flushed: Number.POSITIVE_INFINITY };
  const [version, tail, flushed] = integersIn(bytes);
  if (version === 1 && tail !== undefined) return { tail, flushed: Number.POSITIVE_INFINITY };
  if (version === 2 && tail !== undefined && flushed !== undefined) return { tail, flushed };
  throw new EraFileError(`${table}.meta has an unknown version, or is damaged`);
}

/** Returns the members of a list of integers; none when it is no such list. Geth pads the file with zeros since v1.17.9. */
function integersIn(bytes: Buffer): number[] {
  try {
    const members = new RlpReader(bytes).list('');
    const integers: number[] = [];
    while (!members.isAtEnd()) integers.push(Number(members.integer('')));
    return integers;
  } catch (error) {
    if (error instanceof ProofError) return [];
    throw error;
  }
}
