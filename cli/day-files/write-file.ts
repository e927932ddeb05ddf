import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
import * as z from 'zod';
import { CommandError } from '../exit-codes.ts';

/**
 * Writes a file atomically: under a temporary name, renamed once all of it is on the disk. Only its owner can read it.
 * @throws CommandError when writing fails. The temporary file is then removed, as when `signal` aborts or `text` throws.
 */
export async function writeFileAtomically(
  file: string,
  text: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  await checkReplaceable(file);
  const part = `${file}.${process.pid}.part`;
  try {
    const output = createWriteStream(part, { flags: 'wx', flush: true, mode: 0o600 });
    await pipeline(Readable.from(text), output, { signal });
    await rename(part, file);
  } catch (error) {
    // The first error is the one to report, so a failing removal is ignored.
    await rm(part, { force: true }).catch(() => {});
    const { data } = fileErrorSchema.safeParse(error);
    if (!data) throw error;
    const reason = `${data.code}, ${getSystemErrorMessage(data.errno)}`;
    throw new CommandError(`Writing ${file} failed: ${reason}. Check the folder and the free space.`);
  }
}

/** Refuses to replace anything but a regular file, such as /dev/null. */
async function checkReplaceable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new CommandError(`${file} is not a regular file. Choose another name, or omit --output.`);
  }
}

/** Errors of these system calls concern the file; others may come from the table. Their message has the temporary name. */
const fileErrorSchema = z.object({
  code: z.string(),
  errno: z.int(),
  syscall: z.enum(['open', 'write', 'fsync', 'close', 'rename']),
});
