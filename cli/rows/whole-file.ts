import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';
import * as z from 'zod';
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
  await checkFolder(file);
  const part = `${file}.${process.pid}.part`;
  try {
    const output = createWriteStream(part, { flags: 'wx', flush: true });
    await pipeline(Readable.from(text), output, { signal });
    await rename(part, file);
  } catch (error) {
    // Where it cannot even be taken away, why it could not be written says more.
    await rm(part, { force: true }).catch(() => {});
    const { data } = fileErrorSchema.safeParse(error);
    throw data ? cannotBeWritten(file, `${data.code}, ${getSystemErrorMessage(data.errno)}`) : error;
  }
}

/** Nothing but a file may have another put in its place, and /dev/null least of all. */
async function checkReplaceable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new CommandError(`${file} is there and is no file: name another, or leave --output out.`);
  }
}

async function checkFolder(file: string): Promise<void> {
  const folder = file.endsWith('/') ? file : dirname(file);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
  if (!isThere) throw cannotBeWritten(file, `there is no folder ${folder}`);
}

const cannotBeWritten = (file: string, reason: string) =>
  new CommandError(`${file} cannot be written: ${reason}.`);

/** Errors of the table may come from a system call too, but from none of these. Their message has the other name. */
const fileErrorSchema = z.object({
  code: z.string(),
  errno: z.int(),
  syscall: z.enum(['open', 'write', 'fsync', 'close', 'rename']),
});
