import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readText, writeTextAtomically } from '#cli/day-files/files.ts';
import { createFolder } from '#test/support/folders.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = createFolder();
  file = join(folder, 'days.ndjson');
});

async function* text(between: () => void = () => {}) {
  yield 'one\n';
  between();
  yield 'two\n';
}
const { signal } = new AbortController();

test('replaces a file only once all of it is written', async () => {
  writeFileSync(file, 'old');
  await writeTextAtomically(
    file,
    text(() => expect(readFileSync(file, 'utf8')).toBe('old')),
    signal,
  );
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
});

test.each([
  [
    'the text throws',
    () => {
      throw new Error('table unavailable');
    },
    'table unavailable',
  ],
  ['the signal aborts', (end: AbortController) => end.abort(), 'aborted'],
])('keeps the old file and leaves no other when %s', async (_, between, message) => {
  writeFileSync(file, 'old');
  const end = new AbortController();
  await expect(
    writeTextAtomically(
      file,
      text(() => between(end)),
      end.signal,
    ),
  ).rejects.toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
});

test('reports a missing folder', async () => {
  const reason = 'days.ndjson failed: ENOENT, no such file or directory. Check the path';
  const missing = join(folder, 'none', 'days.ndjson');
  await expect(writeTextAtomically(missing, text(), signal)).rejects.toThrow(reason);
});

test('reports a file that cannot be created without its temporary name', async () => {
  const long = join(folder, 'x'.repeat(300));
  await expect(writeTextAtomically(long, text(), signal)).rejects.toThrow(
    /x failed: ENAMETOOLONG, (file )?name too long\./,
  );
});

test('refuses to replace what is not a regular file', async () => {
  await expect(writeTextAtomically('/dev/null', text(), signal)).rejects.toThrow(
    /^\/dev\/null is not a regular file\. /,
  );
  await expect(writeTextAtomically(folder, text(), signal)).rejects.toThrow('is not a regular file');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('lets only the owner read the file, also when it replaces one that others could read', async () => {
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeTextAtomically(file, text(), signal);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe('reads text', () => {
  const textOf = async (name: string, { signal } = new AbortController()) =>
    (await Array.fromAsync(readText(name, signal))).join('');
  /** Longer than one chunk of a stream; the character lies across the boundary. */
  const long = `${'x'.repeat(65_535)}😀`;

  test('of a file of several chunks, without a byte order mark', async () => {
    writeFileSync(file, `\ufeff${long} \ufeff`);
    expect(await textOf(file)).toBe(`${long} \ufeff`);
  });

  test('of a pipe', async () => {
    execFileSync('sh', ['-c', `mkfifo ${file}`]);
    const reading = textOf(file);
    await writeFile(file, 'one 😀');
    expect(await reading).toBe('one 😀');
  });

  test('of stdin', async () => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    const input = Readable.from([Buffer.from('one')]);
    Object.defineProperty(process, 'stdin', { ...stdin, get: () => input });
    try {
      expect(await textOf('-')).toBe('one');
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
    await expect(textOf(file)).rejects.toThrow(
      /^Reading \S+days\.ndjson failed: it is not UTF-8\. Save it in that encoding\.$/,
    );
  });

  test('until the signal aborts', async () => {
    writeFileSync(file, long);
    const end = new AbortController();
    const reading = readText(file, end.signal);
    await reading.next();
    end.abort();
    await expect(reading.next()).rejects.toThrow('aborted');
  });

  test('but reports a missing file and a folder', async () => {
    await expect(textOf(file)).rejects.toThrow(
      /^Reading \S+days\.ndjson failed: ENOENT, no such file or directory\. Check the path and the permissions\.$/,
    );
    await expect(textOf(folder)).rejects.toThrow(/ failed: EISDIR, illegal operation on a directory\./);
  });
});
