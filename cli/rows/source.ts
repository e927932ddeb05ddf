import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { CommandError } from '../exit-codes.ts';

/** Text that can be read from its beginning more than once. */
export interface Source extends AsyncDisposable {
  /** What it is called in messages. */
  readonly title: string;
  /** @param signal ends the reading with an AbortError */
  readonly open: (signal?: AbortSignal) => SourceText;
}

/** @throws CommandError when it cannot be read, or is not UTF-8 */
interface SourceText extends AsyncIterable<string> {
  /** How much of it has been read, 0 to 1. */
  readonly share: () => number;
}

/**
 * Opens a file to be read. What can be read only once, such as a pipe, is kept in a temporary file until it is disposed.
 * @param file `-` is stdin
 * @param folder where temporary files go
 * @throws CommandError when there is no such file, AbortError when `signal` aborts while that is done
 */
export async function openSource(file: string, signal: AbortSignal, folder = tmpdir()): Promise<Source> {
  if (file === '-') return spool('stdin', process.stdin, signal, folder);
  const found = await stat(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}.`);
  });
  if (found.isDirectory()) throw new CommandError(`${file} is a folder: name a file in it.`);
  if (!found.isFile()) return spool(file, createReadStream(file), signal, folder);
  return { ...sourceOf(file, file, found.size), [Symbol.asyncDispose]: async () => {} };
}

async function spool(
  title: string,
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
  folder: string,
): Promise<Source> {
  const own = await mkdtemp(join(folder, 'chain-insights-'));
  const file = join(own, 'rows');
  const remove = () => rm(own, { recursive: true });
  try {
    await pipeline(input, createWriteStream(file), { signal });
    const { size } = await stat(file);
    return { ...sourceOf(title, file, size), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const sourceOf = (title: string, file: string, size: number) => ({
  title,
  open: (signal?: AbortSignal): SourceText => {
    const bytes = createReadStream(file, { signal });
    return {
      share: () => bytes.bytesRead / size,
      [Symbol.asyncIterator]: () => textOf(title, bytes),
    };
  },
});

/** The text without a byte order mark, which some programs put before it. */
async function* textOf(title: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isBegun = false;
  try {
    for await (const chunk of bytes) {
      if (!isBegun && hasWideCharacters(chunk)) throw notUtf8(title);
      isBegun = true;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw causeOf(title, error);
  }
}

/** UTF-16 without a byte order mark: there each letter has a zero beside it, and no file of ours begins with one. */
const hasWideCharacters = (bytes: Uint8Array): boolean => bytes.subarray(0, 2).includes(0);

function causeOf(title: string, error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  if ('code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return notUtf8(title);
  return 'syscall' in error ? new CommandError(`${title} cannot be read: ${error.message}.`) : error;
}

const notUtf8 = (title: string) =>
  new CommandError(`${title} is not UTF-8: write it again in that encoding.`);
