import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../exit-codes.ts';

/** Text that can be read from its beginning more than once. */
export interface Source extends AsyncDisposable {
  readonly open: () => ReadStream;
  /** Bytes. */
  readonly size: number;
}

/**
 * Opens a file to be read. What can be read only once, such as a pipe, is kept in a temporary file until it is disposed.
 * @param file `-` is stdin
 * @throws CommandError when there is no such file, AbortError when `signal` aborts while that is done
 */
export async function openSource(file: string, signal: AbortSignal): Promise<Source> {
  if (file === '-') return spool(process.stdin, signal);
  const found = await stat(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}.`);
  });
  if (found.isDirectory()) throw new CommandError(`${file} is a folder: name a file in it.`);
  if (!found.isFile()) return spool(createReadStream(file), signal);
  return { size: found.size, open: () => read(file), [Symbol.asyncDispose]: async () => {} };
}

async function spool(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'chain-insights-'));
  const file = join(folder, 'rows');
  const remove = () => rm(folder, { recursive: true });
  try {
    await pipeline(input, createWriteStream(file), { signal });
    const { size } = await stat(file);
    return { size, open: () => read(file), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const read = (file: string) => createReadStream(file, 'utf8');
