import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getSystemErrorMessage, types } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { decodeManifest, fileNameOf, sha256Of } from '../../core/backup/export-files.ts';
import { MANIFEST } from '../../core/backup/export-folder.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import { createS3Client, readObject } from '../../core/s3-client.ts';
import { CommandError } from '../exit-codes.ts';

/** Bytes. The rows of a file are kept in memory. */
const MAX_FILE = 128_000_000;

/** Returns what messages call a file, where `-` stands for stdin. */
export const nameOfFile = (file: string): string => (file === '-' ? 'stdin' : file);

/**
 * Reads a text file, without a byte order mark.
 * @param file `-` for stdin
 * @throws CommandError when it cannot be read, is too large or is not UTF-8; AbortError when `signal` aborts
 */
export async function readText(file: string, signal: AbortSignal): Promise<string> {
  let size = 0;
  const onBytes = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > MAX_FILE) throw new CommandError(`${nameOfFile(file)} exceeds 128 MB. Import it in parts.`);
  };
  return (await Array.fromAsync(textOf(file, signal, onBytes))).join('');
}

/** Reads a text file in parts. @param onBytes receives the bytes of each part */
export async function* textOf(
  file: string,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file))) {
      onBytes(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw explain(`Reading ${nameOfFile(file)}`, error, 'the path and the permissions');
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

/** Returns whether a path names the folder of a daily export, in a bucket or on this machine. */
export const isFolder = async (path: string): Promise<boolean> =>
  path.startsWith('s3:') || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);

/** Returns the bytes of a file of a folder, or undefined when it does not exist. */
type ReadFile = (name: string) => Promise<Buffer | undefined>;

const S3_URL = /^s3:\/\/([^/]+)\/(.+?)\/?$/;

/**
 * Opens the folder of a daily export.
 * @param path `s3://bucket/exports/2026-11-21`, or a folder of this machine
 * @param region in which the search for a bucket begins, by default that of the environment
 */
export function openFolder(path: string, region: string | undefined): ReadFile {
  if (!path.startsWith('s3:')) return (name) => readIfPresent(join(path, name));
  const [, Bucket, prefix] = S3_URL.exec(path) ?? [];
  if (!Bucket || !prefix) {
    throw new CommandError(`${path} names no export. Expected one such as s3://bucket/exports/2026-11-21.`);
  }
  const client = createS3Client(region);
  return (name) => readObject(client, Bucket, `${prefix}/${name}`);
}

const readIfPresent = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw explain(`Reading ${file}`, error, 'the path and the permissions');
  });

/**
 * Reads the files of an export and verifies each against the manifest.
 * @param names only these chains
 * @throws CommandError when it is incomplete, damaged or of another version
 */
export async function readExport(
  place: string,
  read: ReadFile,
  names: readonly ChainName[] | undefined,
): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const another = 'Choose the export of another day.';
  const bytes = await read(MANIFEST);
  if (!bytes) {
    throw new CommandError(
      `${place} has no ${MANIFEST}: it is not an export, or an incomplete one. ${another}`,
    );
  }
  const damaged = (file: string, reason: string) =>
    new CommandError(`${file} of ${place} is damaged: ${reason}. ${another}`);
  const manifest = decodeManifest(bytes);
  if (!manifest) throw damaged(MANIFEST, 'this version cannot read it');
  const chains = manifest.chains.filter(({ chain }) => names?.includes(chain) ?? true);
  if (chains.length === 0) {
    throw new CommandError(`${place} has no days of ${names?.join(', ') ?? 'any chain'}. ${another}`);
  }
  return Promise.all(
    chains.map(async ({ chain, sha256, items }) => {
      const file = fileNameOf(chain);
      const packed = await read(file);
      if (!packed) throw damaged(file, 'it is missing');
      const found = sha256Of(packed);
      if (found !== sha256) throw damaged(file, `its SHA-256 is ${found}, and the manifest has ${sha256}`);
      const text = gunzipSync(packed).toString();
      const lines = text.split('\n').length - 1;
      if (lines !== items) throw damaged(file, `it has ${lines} items, and the manifest counts ${items}`);
      return { file, text };
    }),
  );
}
