import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from '../../../cli/rows/whole-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  file = join(folder, 'days.csv');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* text(between: () => void = () => {}) {
  yield 'one\n';
  between();
  yield 'two\n';
}
const { signal } = new AbortController();

test('a file takes the place of the one before when it is whole, and not sooner', async () => {
  writeFileSync(file, 'old');
  await writeWhole(
    file,
    text(() => expect(readFileSync(file, 'utf8')).toBe('old')),
    signal,
  );
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['days.csv']);
});

test.each([
  [
    'its text ends with an error',
    () => {
      throw new Error('the table is away');
    },
    'the table is away',
  ],
  ['it is stopped', (end: AbortController) => end.abort(), 'aborted'],
])('when %s, the old one stays and nothing else', async (_, between, message) => {
  writeFileSync(file, 'old');
  const end = new AbortController();
  await expect(
    writeWhole(
      file,
      text(() => between(end)),
      end.signal,
    ),
  ).rejects.toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['days.csv']);
});

test('a folder that is not there is named', async () => {
  const none = join(folder, 'none');
  const reason = `days.csv cannot be written: there is no folder ${none}.`;
  await expect(writeWhole(join(none, 'days.csv'), text(), signal)).rejects.toThrow(reason);
  await expect(writeWhole(`${none}/`, text(), signal)).rejects.toThrow(`there is no folder ${none}/.`);
});

test('a place where none can be made is told in one sentence, without the name of what is not there yet', async () => {
  const long = join(folder, 'x'.repeat(300));
  await expect(writeWhole(long, text(), signal)).rejects.toThrow(
    /x cannot be written: ENAMETOOLONG, (file )?name too long\.$/,
  );
});

test('what is no file is left as it is', async () => {
  await expect(writeWhole('/dev/null', text(), signal)).rejects.toThrow(
    /^\/dev\/null is there and is no file: /,
  );
  await expect(writeWhole(folder, text(), signal)).rejects.toThrow('is no file');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
