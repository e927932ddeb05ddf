import { stripVTControlCharacters } from 'node:util';
import { commandLine, formatCount, formatDuration, formatTable, pluralize, toJson } from '../../cli/print.ts';

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
  expect(commandLine('', 'ingest', '--chain', 'BASE')).toBe('npx chain-insights ingest --chain BASE');
  expect(commandLine(' --stage prod', 'restate', '--reason', 'endpoint served wrong receipts')).toBe(
    "npx chain-insights restate --reason 'endpoint served wrong receipts' --stage prod",
  );
  expect(commandLine('', 'import', "it's $HOME.ndjson", '')).toBe(
    "npx chain-insights import 'it'\\''s $HOME.ndjson' ''",
  );
});
