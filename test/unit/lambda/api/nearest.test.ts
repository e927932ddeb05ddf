import { countEdits, nearest } from '#lambda/api/nearest.ts';

const intervals = ['hour', 'day', 'week', 'month', 'quarter', 'year'];

test.each([
  ['weeks', 'week'],
  ['wekk', 'week'],
  ['ewek', 'week'],
  ['QUATER', 'quarter'],
  ['mont', 'month'],
  ['daily', undefined],
  ['', undefined],
  ['decade', undefined],
])('takes %p for %p', (word, meant) => {
  expect(nearest(word, intervals)).toBe(meant);
});

test.each([
  ['week', ['weeek'], ['weeeek', 'wxyk']],
  ['start', ['sttart', 'stttart'], ['sttttart', 'stxyz']],
])('%s may have as many errors as in %j, and no more', (word, near, far) => {
  for (const one of near) expect(nearest(one, [word])).toBe(word);
  for (const one of far) expect(nearest(one, [word])).toBeUndefined();
});

test('the nearest of several words counts, and the first of equally near ones', () => {
  expect(nearest('weeks', ['weekly', 'week', 'wee'])).toBe('week');
  expect(nearest('months', ['montha', 'monthb'])).toBe('montha');
});

test.each([
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'axc', 1],
  ['abc', 'acb', 1],
  ['abcd', 'badc', 2],
  // Two edits of one place are not combined: a swap, then an insertion between its letters.
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %p to %p takes %i edits', (from, to, edits) => {
  expect([countEdits(from, to), countEdits(to, from)]).toEqual([edits, edits]);
});
