import { readFileSync } from 'node:fs';
import { dayFields, pickFields } from '#lambda/api/series/day-fields.ts';

const rows = [
  { date: '2026-11-18', fees: '1.5', evidence: 'proven', finality: { kind: 'reported', hosts: ['a'] } },
  { date: '2026-11-19', fees: '2', evidence: 'checked' },
];

test('leaves the date and the chosen fields, and none that a row lacks', () => {
  expect(JSON.parse(pickFields(JSON.stringify(rows), 'fees,finality,date'))).toEqual([
    { date: '2026-11-18', fees: '1.5', finality: { kind: 'reported', hosts: ['a'] } },
    { date: '2026-11-19', fees: '2' },
  ]);
  expect(pickFields('[]', 'fees')).toBe('[]');
});

test('offers the fields that the description of the API has', () => {
  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  expect(Object.keys(components.schemas.DayDetails.properties).toSorted()).toEqual(dayFields.toSorted());
});
