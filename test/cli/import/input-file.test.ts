import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openInputFile } from '../../../cli/import/input-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();
const text = async (chunks: AsyncIterable<string>) => (await Array.fromAsync(chunks)).join('');

/** Longer than one chunk of a stream; the character lies across the boundary. */
const long = `${'x'.repeat(65_535)}😀`;

test('reads a file repeatedly and keeps it', async () => {
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, long);
  {
    await using input = await openInputFile(file, signal);
    expect(input.name).toBe(file);
    const reading = input.open();
    expect(await text(reading)).toBe(long);
    expect(reading.share()).toBe(1);
    expect(await text(input.open())).toBe(long);
  }
  expect(existsSync(file)).toBe(true);
});

test('copies a pipe to a temporary file until it is disposed', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo ${pipe}`]);
  const opening = openInputFile(pipe, signal, folder);
  await writeFile(pipe, 'one 😀');
  {
    await using input = await opening;
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await text(input.open())).toBe('one 😀');
    expect(await text(input.open())).toBe('one 😀');
  }
  expect(readdirSync(folder)).toEqual(['pipe']);
});

test('names stdin', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from(['one']) });
  try {
    await using input = await openInputFile('-', signal, folder);
    expect(input.name).toBe('stdin');
    expect(await text(input.open())).toBe('one');
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
});

test('drops a byte order mark', async () => {
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, '\ufeffone \ufeff');
  await using input = await openInputFile(file, signal);
  expect(await text(input.open())).toBe('one \ufeff');
});

test.each([
  ['UTF-16', Buffer.from('\ufeff{"chain"', 'utf16le')],
  ['an invalid byte', Buffer.from([...Buffer.from(long), 0xff, 0x0a])],
  ['half a character at its end', Buffer.from(long).subarray(0, -1)],
])('refuses a file with %s', async (_, bytes) => {
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, bytes);
  await using input = await openInputFile(file, signal);
  await expect(text(input.open())).rejects.toThrow(/days\.ndjson is not UTF-8\. Save it in that encoding\.$/);
});

test('stops reading between chunks', async () => {
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, long);
  await using input = await openInputFile(file, signal);
  const end = new AbortController();
  const reading = input.open(end.signal)[Symbol.asyncIterator]();
  await reading.next();
  end.abort();
  await expect(reading.next()).rejects.toThrow('aborted');
});

test('reports a missing file, a deleted file and a folder', async () => {
  await expect(openInputFile(join(folder, 'none.ndjson'), signal)).rejects.toThrow(
    /^Reading \S+none\.ndjson failed: no such file or directory\. Check the path/,
  );
  await expect(openInputFile(folder, signal)).rejects.toThrow(/ is a folder\. Name a file in it\.$/);
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, 'one');
  await using input = await openInputFile(file, signal);
  rmSync(file);
  await expect(text(input.open())).rejects.toThrow(
    /^Reading \S+days\.ndjson failed: no such file or directory\. Check the path/,
  );
});
