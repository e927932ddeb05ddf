import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../cli/commands/export.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  file = join(folder, 'days.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* text(between: () => void = () => {}) {
  yield 'one\n';
  between();
  yield 'two\n';
}
const { signal } = new AbortController();

test('replaces a file only once all of it is written', async () => {
  writeFileSync(file, 'old');
  await writeFileAtomically(
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
    writeFileAtomically(
      file,
      text(() => between(end)),
      end.signal,
    ),
  ).rejects.toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
});

test('reports a missing folder', async () => {
  const reason = 'days.ndjson failed: ENOENT, no such file or directory. Check the folder';
  const missing = join(folder, 'none', 'days.ndjson');
  await expect(writeFileAtomically(missing, text(), signal)).rejects.toThrow(reason);
});

test('reports a file that cannot be created without its temporary name', async () => {
  const long = join(folder, 'x'.repeat(300));
  await expect(writeFileAtomically(long, text(), signal)).rejects.toThrow(
    /x failed: ENAMETOOLONG, (file )?name too long\./,
  );
});

test('refuses to replace what is not a regular file', async () => {
  await expect(writeFileAtomically('/dev/null', text(), signal)).rejects.toThrow(
    /^\/dev\/null is not a regular file\. /,
  );
  await expect(writeFileAtomically(folder, text(), signal)).rejects.toThrow('is not a regular file');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('lets only the owner read the file, also when it replaces one that others could read', async () => {
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeFileAtomically(file, text(), signal);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});
