import { readFileSync } from 'node:fs';
import { dayFields } from '#lambda/api/series/day-fields.ts';

test('offers the fields that the description of the API has', () => {
  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  expect(Object.keys(components.schemas.DayDetails.properties).toSorted()).toEqual(dayFields.toSorted());
});
