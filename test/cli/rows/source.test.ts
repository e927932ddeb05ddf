import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSource } from '../../../cli/rows/source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();

test('a file is read as often as need be, and stays', async () => {
  const file = join(folder, 'days.csv');
  writeFileSync(file, 'one 😀');
  {
    await using source = await openSource(file, signal);
    expect(source.size).toBe(8);
    expect(await text(source.open())).toBe('one 😀');
    expect(await text(source.open())).toBe('one 😀');
  }
  expect(existsSync(file)).toBe(true);
});

test('what can be read only once is kept as long as need be', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo ${pipe}`]);
  const opening = openSource(pipe, signal);
  await writeFile(pipe, 'one 😀');
  let copy: string;
  {
    await using source = await opening;
    expect(source.size).toBe(8);
    copy = String(source.open().destroy().path);
    expect(await text(source.open())).toBe('one 😀');
    expect(await text(source.open())).toBe('one 😀');
  }
  expect(existsSync(copy)).toBe(false);
});

test('a file that is not there, and a folder, are told in one sentence', async () => {
  await expect(openSource(join(folder, 'none.csv'), signal)).rejects.toThrow(
    /none\.csv cannot be read: ENOENT: .*\.$/,
  );
  await expect(openSource(folder, signal)).rejects.toThrow(/ is a folder: name a file in it\.$/);
});
