import { stripVTControlCharacters } from 'node:util';
import { daysBetween } from '../../cli/day-ranges.ts';
import { heatMap } from '../../cli/heat-map.ts';

const map = (values: ReadonlyMap<string, number>, first: string, last: string, weeks = 53) =>
  stripVTControlCharacters(heatMap(values, { first, last, weeks })).split('\n');

test('draws a week per column with Monday on top, and leaves days outside the range blank', () => {
  // 2026-11-18 is a Wednesday.
  const values = new Map([
    ['2026-11-18', 1],
    ['2026-11-22', 1],
    ['2026-11-23', 1],
  ]);
  expect(map(values, '2026-11-18', '2026-11-23')).toEqual([
    '    Nov',
    'Mon  ░',
    '',
    'Wed ░',
    '    ×',
    'Fri ×',
    '    ×',
    'Sun ░',
  ]);
});

test('assigns shades by quartile, the darkest to the greatest values', () => {
  const values = new Map(daysBetween('2026-11-02', '2026-11-09').map((day, index) => [day, 10 ** index]));
  const rows = map(values, '2026-11-02', '2026-11-09').slice(1);
  const columns = rows.map((row) => row[4]).join('') + (rows[0]?.[5] ?? '');
  expect(columns).toBe('░░▒▒▓▓██');
});

test('labels the first week of each month, and January with the year', () => {
  const [months] = map(new Map(), '2026-10-05', '2027-02-28');
  expect(months).toBe('    Oct Nov Dec 2027 Feb');
});

test('draws the last weeks of a range that is too wide', () => {
  const values = new Map(daysBetween('2026-01-05', '2026-11-15').map((day) => [day, 1]));
  const rows = map(values, '2026-01-05', '2026-11-15', 10);
  for (const row of rows.slice(1)) expect(row.length).toBe(14);
});

test('marks every day as missing without values', () => {
  expect(map(new Map(), '2026-11-16', '2026-11-22').slice(1).join('')).toMatch(/^(.{4}×){7}$/);
});

test('shades the drawn days alone, so that earlier years do not make the last one uniform', () => {
  const values = new Map(daysBetween('2020-01-06', '2026-11-15').map((day, index) => [day, index]));
  const rows = map(values, '2020-01-06', '2026-11-15', 8).slice(1);
  expect(rows[0]).toBe('Mon ░░▒▒▓▓██');
});
