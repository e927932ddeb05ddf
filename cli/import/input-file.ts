import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage, types } from 'node:util';
import { CommandError } from '../exit-codes.ts';

/** A text file that can be read from its beginning more than once. */
export interface InputFile extends AsyncDisposable {
  /** Its name in messages. */
  readonly name: string;
  /** @param signal ends the reading with an AbortError */
  readonly open: (signal?: AbortSignal) => InputText;
}

/** Chunks of text. Reading throws CommandError when it fails, or the file is not UTF-8. */
interface InputText extends AsyncIterable<string> {
  /** Returns the share that was read, 0 to 1. */
  readonly share: () => number;
}

/**
 * Opens a file. Copies stdin or a pipe, which can be read only once, to a temporary file until it is disposed.
 * @param file `-` for stdin
 * @param folder for temporary files
 * @throws CommandError when the file cannot be opened; AbortError when `signal` aborts during the copy
 */
export async function openInputFile(
  file: string,
  signal: AbortSignal,
  folder = tmpdir(),
): Promise<InputFile> {
  if (file === '-') return copyOf('stdin', process.stdin, signal, folder);
  const found = await stat(file).catch((error: Error) => {
    throw readError(file, error);
  });
  if (found.isDirectory()) throw new CommandError(`${file} is a folder. Name a file in it.`);
  if (!found.isFile()) return copyOf(file, createReadStream(file), signal, folder);
  return { ...inputFile(file, file, found.size), [Symbol.asyncDispose]: async () => {} };
}

async function copyOf(
  name: string,
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
  folder: string,
): Promise<InputFile> {
  const ownFolder = await mkdtemp(join(folder, 'chain-insights-'));
  const file = join(ownFolder, 'rows');
  const remove = () => rm(ownFolder, { recursive: true });
  try {
    await pipeline(input, createWriteStream(file), { signal });
    const { size } = await stat(file);
    return { ...inputFile(name, file, size), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const inputFile = (name: string, file: string, size: number) => ({
  name,
  open: (signal?: AbortSignal): InputText => {
    const bytes = createReadStream(file, { signal });
    return {
      share: () => bytes.bytesRead / size,
      [Symbol.asyncIterator]: () => textOf(name, bytes),
    };
  },
});

/** Decodes UTF-8, without a byte order mark. */
async function* textOf(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw explainError(name, error);
  }
}

function explainError(name: string, error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  if ('code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return notUtf8(name);
  return 'syscall' in error ? readError(name, error) : error;
}

function readError(name: string, error: Error): CommandError {
  const reason =
    'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
  return new CommandError(`Reading ${name} failed: ${reason}. Check the path and the file's permissions.`);
}

const notUtf8 = (name: string) => new CommandError(`${name} is not UTF-8. Save it in that encoding.`);
