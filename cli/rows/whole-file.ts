import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { CommandError } from '../exit-codes.ts';

/**
 * Writes a file under another name, and gives it its own when all of it is on the disk: half of one is never taken for
 * the whole.
 * @throws CommandError when it cannot be written; nothing is left of it then, nor when `signal` aborts or `text` throws
 */
export async function writeWhole(
  file: string,
  text: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  await checkReplaceable(file);
  const part = `${file}.${process.pid}.part`;
  try {
    const output = createWriteStream(part, { flags: 'wx', flush: true });
    await pipeline(Readable.from(text), output, { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw isOfFiles(error) ? new CommandError(`${file} cannot be written: ${error.message}.`) : error;
  }
}

/** Nothing but a file may have another put in its place, and /dev/null least of all. */
async function checkReplaceable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new CommandError(`${file} is there and is no file: name another, or leave --output out.`);
  }
}

/** Errors of the table may come from a system call too, but from none of these. */
const isOfFiles = (error: unknown): error is Error =>
  types.isNativeError(error) &&
  'syscall' in error &&
  ['open', 'write', 'fsync', 'close', 'rename'].includes(String(error.syscall));
