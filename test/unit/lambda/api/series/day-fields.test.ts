import { readFileSync } from 'node:fs';
import { dayFields } from '#lambda/api/series/day-fields.ts';

test('offers the fields that the description of the API has', () => {
  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  // A row has `chain` whenever a request names several.
  const { chain: _, ...offered } = components.schemas.DayDetails.properties;
  expect(Object.keys(offered).toSorted()).toEqual(dayFields.toSorted());
});
