import { stripVTControlCharacters, styleText } from 'node:util';
import {
  commandLine,
  formatCount,
  formatDuration,
  formatTable,
  pluralize,
  printNote,
  printResult,
  toJson,
} from '#cli/print.ts';

test.each([
  [0, '0s'],
  [0.4, '0s'],
  [59.6, '1m'],
  [200, '3m 20s'],
  [7_530, '2h 5m'],
  [86_400 * 4 + 6 * 3_600 + 59, '4d 6h'],
  [-5, '0s'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('aligns numbers of a table to the right and keeps the order of the columns', () => {
  const table = formatTable(
    ['chain', 'days', 'note'],
    [
      ['BSC', 7, ''],
      ['ETHEREUM', 1_234, 'x'],
    ],
  );
  expect(stripVTControlCharacters(table)).toBe(
    ['chain      days  note', 'BSC           7', 'ETHEREUM  1,234  x'].join('\n'),
  );
});

test('prints each digit of wei, as a string in JSON', () => {
  expect(JSON.parse(toJson({ wei: 12345678901234567890123n, days: 2 }))).toEqual({
    wei: '12345678901234567890123',
    days: 2,
  });
  expect(formatCount(12345678901234567890123n)).toBe('12,345,678,901,234,567,890,123');
});

test('uses the singular for one only', () => {
  expect([1, 2, 0].map((value) => pluralize(value, 'day'))).toEqual(['1 day', '2 days', '0 days']);
});

test('quotes the words that a shell would split, and only those', () => {
  expect(commandLine('', 'ingest', '--chain', 'BASE')).toBe('npx --no chain-insights ingest --chain BASE');
  expect(commandLine(' --stage prod', 'restate', '--reason', 'endpoint served wrong receipts')).toBe(
    "npx --no chain-insights restate --reason 'endpoint served wrong receipts' --stage prod",
  );
  expect(commandLine('', 'import', "it's $HOME.ndjson", '')).toBe(
    "npx --no chain-insights import 'it'\\''s $HOME.ndjson' ''",
  );
});

/** Each could act on a terminal: a title, a colour, a new line, reordered text, an invisible mark. */
const ATTACKS = [
  '\u001b]0;owned\u0007',
  '\u009b2J',
  '\r',
  '\b',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\u{e0041}',
];

test.each(ATTACKS)('prints %p of a table, a note and a result as spaces', (attack) => {
  const written: string[] = [];
  const keep = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const streams = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write'));
  for (const stream of streams) stream.mockImplementation(keep);
  printNote(`key a${attack}b`);
  printResult({ json: false }, {}, `key a${attack}b`);
  printResult({ json: true }, { key: `a${attack}b` }, '');
  for (const stream of streams) stream.mockRestore();
  written.push(
    formatTable(['key'], [[`a${attack}\nb`]])
      .split('\n')
      .slice(2)
      .join(''),
  );
  expect(written).toHaveLength(4);
  for (const text of written) expect(text.replace(/\n/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(written[2] ?? '')).toEqual({ key: `a${attack}b` });
});

test('a command for one of several services on this machine begins with its port', () => {
  expect(commandLine('PORT=3001 --rpc-url …', 'verify')).toBe(
    'PORT=3001 npx --no chain-insights verify --rpc-url …',
  );
});

test('keeps the lines and the styles of our own text', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const text = styleText('red', 'one\ntwo', { validateStream: false });
  printResult({ json: false }, {}, text);
  expect(write).toHaveBeenCalledWith(`${text}\n`);
  write.mockRestore();
});
