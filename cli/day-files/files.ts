import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage, types } from 'node:util';
import { CommandError } from '../exit-codes.ts';

/**
 * Reads a text file in chunks, without a byte order mark.
 * @param file `-` for stdin
 * @throws CommandError when it cannot be read or is not UTF-8; AbortError when `signal` aborts
 */
export async function* readText(file: string, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file))) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw explain(`Reading ${file}`, error, 'the path and the permissions');
  }
}

/**
 * Writes a file atomically: under a temporary name, renamed once all of it is on the disk. Only its owner can read it.
 * @throws CommandError when writing fails. The temporary file is then removed, as when `signal` aborts or `text` throws.
 */
export async function writeTextAtomically(
  file: string,
  text: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  // The new file must not replace a device such as /dev/null.
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new CommandError(`${file} is not a regular file. Choose another name, or omit --output.`);
  }
  const part = `${file}.${process.pid}.part`;
  try {
    const output = createWriteStream(part, { flags: 'wx', flush: true, mode: 0o600 });
    await pipeline(Readable.from(text), output, { signal });
    await rename(part, file);
  } catch (error) {
    // The first error is the one to report, so a failing removal is ignored.
    await rm(part, { force: true }).catch(() => {});
    throw explain(`Writing ${file}`, error, 'the path, the permissions and the free space');
  }
}

/** Explains a failed system call, whose own message may have a temporary name, and text that is not UTF-8. */
function explain(action: string, error: unknown, causes: string): unknown {
  if (!types.isNativeError(error) || !('code' in error)) return error;
  const isNotUtf8 = error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  if (isNotUtf8) return new CommandError(`${action} failed: it is not UTF-8. Save it in that encoding.`);
  if (!('errno' in error) || typeof error.errno !== 'number') return error;
  const reason = getSystemErrorMessage(error.errno);
  return new CommandError(`${action} failed: ${error.code}, ${reason}. Check ${causes}.`);
}
