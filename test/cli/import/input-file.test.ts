import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openSource } from '../../../cli/rows/source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();
const text = async (chunks: AsyncIterable<string>) => (await Array.fromAsync(chunks)).join('');

/** What a stream gives at a time, and a bit more. */
const long = `${'x'.repeat(65_535)}😀`;

test('a file is read as often as need be, and stays', async () => {
  const file = join(folder, 'days.csv');
  writeFileSync(file, long);
  {
    await using source = await openSource(file, signal);
    expect(source.title).toBe(file);
    const reading = source.open();
    expect(await text(reading)).toBe(long);
    expect(reading.share()).toBe(1);
    expect(await text(source.open())).toBe(long);
  }
  expect(existsSync(file)).toBe(true);
});

test('what can be read only once is kept as long as need be', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo ${pipe}`]);
  const opening = openSource(pipe, signal, folder);
  await writeFile(pipe, 'one 😀');
  {
    await using source = await opening;
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await text(source.open())).toBe('one 😀');
    expect(await text(source.open())).toBe('one 😀');
  }
  expect(readdirSync(folder)).toEqual(['pipe']);
});

test('stdin is called so', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from(['one']) });
  try {
    await using source = await openSource('-', signal, folder);
    expect(source.title).toBe('stdin');
    expect(await text(source.open())).toBe('one');
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
});

test('a byte order mark is no part of the text', async () => {
  const file = join(folder, 'days.csv');
  writeFileSync(file, '\ufeffone \ufeff');
  await using source = await openSource(file, signal);
  expect(await text(source.open())).toBe('one \ufeff');
});

test.each([
  ['UTF-16', Buffer.from('\ufeff{"chain"', 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from('{"chain"', 'utf16le')],
  ['a byte that is no character', Buffer.from([...Buffer.from(long), 0xff, 0x0a])],
  ['half a character at its end', Buffer.from(long).subarray(0, -1)],
])('a file with %s is refused', async (_, bytes) => {
  const file = join(folder, 'days.csv');
  writeFileSync(file, bytes);
  await using source = await openSource(file, signal);
  await expect(text(source.open())).rejects.toThrow(
    /days\.csv is not UTF-8: write it again in that encoding\.$/,
  );
});

test('a reading can be stopped, though nothing of it is taken for a row', async () => {
  const file = join(folder, 'days.csv');
  writeFileSync(file, long);
  await using source = await openSource(file, signal);
  const end = new AbortController();
  const reading = source.open(end.signal)[Symbol.asyncIterator]();
  await reading.next();
  end.abort();
  await expect(reading.next()).rejects.toThrow('aborted');
});

test('a file that is not there, one that is gone since, and a folder are told in one sentence', async () => {
  await expect(openSource(join(folder, 'none.csv'), signal)).rejects.toThrow(
    /none\.csv cannot be read: ENOENT: .*\.$/,
  );
  await expect(openSource(folder, signal)).rejects.toThrow(/ is a folder: name a file in it\.$/);
  const file = join(folder, 'days.csv');
  writeFileSync(file, 'one');
  await using source = await openSource(file, signal);
  rmSync(file);
  await expect(text(source.open())).rejects.toThrow(/^\S+days\.csv cannot be read: ENOENT: .*\.$/);
});
