import { readFileSync } from 'node:fs';
import { exampleQuery } from '../../openapi/examples.ts';
import { withRecentExamples } from '../../web/recent-examples.ts';

const text = readFileSync('docs/openapi.json', 'utf8');
const recent = (day: string) => JSON.stringify(withRecentExamples(JSON.parse(text), day));

test('moves all examples so that their query ends with a given day', () => {
  expect(recent('2026-03-01')).toContain(
    '{"chain":"ETHEREUM","start_date":"2026-02-26","end_date":"2026-03-01"}',
  );
  expect(recent('2026-03-01')).toContain(
    '"date,fees\\r\\n2026-02-26,358.558440870590355682\\r\\n2026-02-27,291.07\\r\\n2026-03-01,304',
  );
});

test('changes nothing but the examples', () => {
  const without = (json: string) =>
    JSON.stringify(JSON.parse(json, (name, value) => (name === 'example' ? 0 : value)));
  expect(without(recent('2026-03-01'))).toBe(without(text));
  expect(recent(exampleQuery.end_date)).toBe(JSON.stringify(JSON.parse(text)));
});

test('leaves a document without an example query unchanged', () => {
  const other = { example: '2025-11-20' };
  expect(withRecentExamples(other, '2026-03-01')).toEqual(other);
});
