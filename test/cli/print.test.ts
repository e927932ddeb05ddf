import { stripVTControlCharacters } from 'node:util';
import { count, counted, duration, tableOf, toJson } from '../../cli/print.ts';

test.each([
  [0, '0 s'],
  [0.4, '0 s'],
  [59.6, '1 min'],
  [200, '3 min 20 s'],
  [3_600, '1 h'],
  [7_530, '2 h 5 min'],
  [86_400 * 4 + 6 * 3_600 + 59, '4 d 6 h'],
  [-5, '0 s'],
])('%s seconds are shown as %s', (seconds, shown) => {
  expect(duration(seconds)).toBe(shown);
});

test('numbers of a table are aligned to the right, and columns keep their order', () => {
  const table = tableOf(
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

test('wei keep each digit, as strings in JSON', () => {
  expect(JSON.parse(toJson({ wei: 12345678901234567890123n, days: 2 }))).toEqual({
    wei: '12345678901234567890123',
    days: 2,
  });
  expect(count(12345678901234567890123n)).toBe('12,345,678,901,234,567,890,123');
});

test('one is one', () => {
  expect([counted(1, 'day'), counted(2, 'day'), counted(0, 'day')]).toEqual(['1 day', '2 days', '0 days']);
});
