import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isFolder, openFolder, readExport, readText, writeTextAtomically } from '#cli/import/files.ts';
import { decodeManifest, encodeManifest, sha256Of } from '#core/backup/export-files.ts';
import { createFolder } from '#test/support/folders.ts';
import { exportToMemory, fillTable } from '#test/support/generators/rows/filled-table.ts';
import { startInProcessTable } from '#test/support/tables/in-process-table.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = createFolder();
  file = join(folder, 'days.ndjson');
});

const { signal } = new AbortController();

describe('writes a text', () => {
  async function* text(between: () => void = () => {}) {
    yield 'one\n';
    between();
    yield 'two\n';
  }

  test('that replaces a file only once all of it is written, and that only the owner can read', async () => {
    writeFileSync(file, 'old', { mode: 0o644 });
    const between = () => expect(readFileSync(file, 'utf8')).toBe('old');
    await writeTextAtomically(file, text(between), signal);
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(folder)).toEqual(['days.ndjson']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  const fail = () => {
    throw new Error('table unavailable');
  };
  test.each([
    ['the text throws', fail, 'table unavailable'],
    ['the signal aborts', (end: AbortController) => end.abort(), 'aborted'],
  ])('but keeps the old file and leaves no other when %s', async (_, between, message) => {
    writeFileSync(file, 'old');
    const end = new AbortController();
    const writing = writeTextAtomically(
      file,
      text(() => between(end)),
      end.signal,
    );
    await expect(writing).rejects.toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['days.ndjson']);
  });

  test('but reports what is not a regular file, and a folder that is missing', async () => {
    const write = (name: string) => writeTextAtomically(name, text(), signal);
    await expect(write('/dev/null')).rejects.toThrow(/^\/dev\/null is not a regular file\. /);
    await expect(write(folder)).rejects.toThrow('is not a regular file');
    const reason = 'days.ndjson failed: ENOENT, no such file or directory. Check the path';
    await expect(write(join(folder, 'none', 'days.ndjson'))).rejects.toThrow(reason);
  });
});

describe('reads a text', () => {
  /** Longer than one chunk of a stream; the character lies across the boundary. */
  const long = `${'x'.repeat(65_535)}😀`;

  test('of a file of several chunks, without a byte order mark', async () => {
    writeFileSync(file, `\ufeff${long} \ufeff`);
    expect(await readText(file, signal)).toBe(`${long} \ufeff`);
  });

  test('of a pipe', async () => {
    execFileSync('sh', ['-c', `mkfifo ${file}`]);
    const reading = readText(file, signal);
    await writeFile(file, 'one 😀');
    expect(await reading).toBe('one 😀');
  });

  test('of stdin, up to 128 MB', async () => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    let input = Readable.from([Buffer.from('one')]);
    Object.defineProperty(process, 'stdin', { ...stdin, get: () => input });
    try {
      expect(await readText('-', signal)).toBe('one');
      input = Readable.from(Array<Buffer>(129).fill(Buffer.alloc(1_000_000)));
      await expect(readText('-', signal)).rejects.toThrow('stdin exceeds 128 MB. Import it in parts.');
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  });

  test.each([
    ['UTF-16', Buffer.from('\ufeff{"chain"', 'utf16le')],
    ['an invalid byte', Buffer.from([...Buffer.from(long), 0xff, 0x0a])],
    ['half a character at its end', Buffer.from(long).subarray(0, -1)],
  ])('but refuses a file with %s', async (_, bytes) => {
    writeFileSync(file, bytes);
    await expect(readText(file, signal)).rejects.toThrow(
      /^Reading \S+days\.ndjson failed: it is not UTF-8\. Save it in that encoding\.$/,
    );
  });

  test('but stops when the signal aborts, and reports a missing file', async () => {
    const missing = / failed: ENOENT, no such file or directory\. Check the path and the permissions\.$/;
    await expect(readText(file, signal)).rejects.toThrow(missing);
    writeFileSync(file, long);
    await expect(readText(file, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('reads an export', () => {
  let files: Map<string, Buffer>;
  beforeAll(async () => {
    const { table } = await startInProcessTable();
    await fillTable(table);
    files = await exportToMemory(table);
  });

  const read = (changed: Record<string, Buffer | undefined> = {}) =>
    readExport('folder', async (name) => (name in changed ? changed[name] : files.get(name)), undefined);
  const bytesOf = (name: string) => files.get(name) ?? Buffer.of();
  const flip = (bytes: Buffer, index: number) => bytes.with(index, (bytes[index] ?? 0) ^ 1);

  test('from a folder or a bucket, and no other place', async () => {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    expect(await Promise.all([folder, 's3://bucket/a', '-', join(folder, 'none')].map(isFolder))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await readExport(folder, openFolder(folder, undefined), ['BASE'])).toEqual([
      { file: 'BASE.ndjson.gz', text: gunzipSync(bytesOf('BASE.ndjson.gz')).toString() },
    ]);
    expect(await read()).toHaveLength(2);
  });

  test('but refuses a file with any flipped byte', async () => {
    const bytes = bytesOf('BASE.ndjson.gz');
    for (let index = 0; index < bytes.length; index++) {
      await expect(read({ 'BASE.ndjson.gz': Buffer.from(flip(bytes, index)) })).rejects.toThrow(
        /^BASE\.ndjson\.gz of folder is damaged: its SHA-256 is [0-9a-f]{64}, and the manifest has [0-9a-f]{64}\./,
      );
    }
  });

  test('or a manifest with a flipped byte, unless the files are the same', async () => {
    const manifest = bytesOf('manifest.json');
    const whole = await read();
    let refused = 0;
    for (let index = 0; index < manifest.length; index++) {
      const found = await read({ 'manifest.json': Buffer.from(flip(manifest, index)) }).catch(
        ({ message }) => {
          expect(message).toMatch(/ is damaged: /);
          refused++;
        },
      );
      if (found) expect(found).toEqual(whole);
    }
    expect(refused).toBeGreaterThan(manifest.length / 2);
  });

  test.each([
    [
      'no manifest',
      { 'manifest.json': undefined },
      /^folder has no manifest\.json: it is not an export, or an incomplete/,
    ],
    [
      'a missing file',
      { 'BSC.ndjson.gz': undefined },
      /^BSC\.ndjson\.gz of folder is damaged: it is missing/,
    ],
  ])('or one with %s', async (_, changed, message) => {
    await expect(read(changed)).rejects.toThrow(message);
  });

  test('or a file with other counts than the manifest', async () => {
    const lines = gunzipSync(bytesOf('BASE.ndjson.gz')).toString();
    const bytes = gzipSync(lines + lines);
    const manifest = decodeManifest(bytesOf('manifest.json'));
    const chains = (manifest?.chains ?? []).map((one) =>
      one.chain === 'BASE' ? { ...one, sha256: sha256Of(bytes) } : one,
    );
    const changed = manifest && encodeManifest({ ...manifest, chains });
    await expect(read({ 'BASE.ndjson.gz': bytes, 'manifest.json': changed })).rejects.toThrow(
      'it has 4 items, and the manifest counts 2.',
    );
  });
});
