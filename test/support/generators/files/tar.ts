import { basename } from 'node:path';

const RECORD = 512;
/** Places of the members of a header: https://www.gnu.org/software/tar/manual/html_node/Standard.html. */
const [NAME, SIZE, TYPE] = [0, 124, 156];
const REGULAR_FILE = '0'.charCodeAt(0);

/** Returns the regular files of a tar archive by their names, without folders. It knows no names of more than 100 bytes. */
export function filesInTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const text = (from: number, length: number) => archive.toString('latin1', at + from, at + from + length);
    const begin = at + RECORD;
    const end = begin + Number.parseInt(text(SIZE, 12), 8);
    const [name = ''] = text(NAME, 100).split('\0');
    if (archive[at + TYPE] === REGULAR_FILE) files.set(basename(name), archive.subarray(begin, end));
    at = begin + RECORD * Math.ceil((end - begin) / RECORD);
  }
  return files;
}
